import { announce } from './app-events.ts';
import type { Sandbox } from '../context.ts';
import { postMessage } from './messages.ts';
import { presentFile } from '../shapes/present.ts';
import type { Block, Channel, Message, StoredFile } from './workspace.ts';

const MIME_TYPES: Record<string, string> = {
  csv: 'text/csv',
  json: 'application/json',
  png: 'image/png',
  txt: 'text/plain',
};

/** Stores a file that is not shared yet. */
export function storeFile(
  sandbox: Sandbox,
  file: { name: string; owner: string; content: Buffer; mimeType?: string },
): StoredFile {
  const stored: StoredFile = {
    ...file,
    id: sandbox.identifiers.next('F'),
    title: file.name,
    mimeType: file.mimeType ?? MIME_TYPES[file.name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    channels: new Set(),
    createdSeconds: sandbox.identifiers.nowSeconds(),
  };
  sandbox.workspace.files.set(stored.id, stored);
  return stored;
}

export interface Share {
  author: string;
  text?: string;
  blocks?: Block[];
  threadTs?: string | null;
}

export function shareFiles(sandbox: Sandbox, channel: Channel, files: readonly StoredFile[], share: Share): Message {
  for (const file of files) file.channels.add(channel.id);
  const message = postMessage(sandbox, channel, {
    text: '',
    ...share,
    subtype: 'file_share',
    fileIds: files.map(({ id }) => id),
  });
  for (const file of files) {
    sandbox.log.add({ kind: 'file_shared', channel: channel.id, file: presentFile(file) });
    if (!sandbox.workspace.hasApp(channel)) continue;
    announce(sandbox, { type: 'file_shared', file_id: file.id, user_id: share.author, channel_id: channel.id });
  }
  return message;
}
