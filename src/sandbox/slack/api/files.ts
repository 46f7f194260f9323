import { z } from 'zod';
import { checkMessageBlocks } from '../shapes/block-check.ts';
import type { Sandbox } from '../context.ts';
import { shareFiles, storeFile } from '../model/file-store.ts';
import { fileObject } from '../shapes/slack-shapes.ts';
import type { Block } from '../model/workspace.ts';
import { ApiError, count, idList, jsonValue, method, text, visibleChannel, type Method } from './call.ts';

const getUploadUrl = method({
  scopes: ['files:write'],
  args: z.object({ filename: text, length: count }),
  run: (sandbox, args) => {
    const owner = sandbox.workspace.app.botUserId;
    const file = storeFile(sandbox, { name: args.filename, owner, content: Buffer.alloc(0) });
    return { upload_url: `${sandbox.address()}/upload/${file.id}`, file_id: file.id };
  },
});

const completing = z.object({
  files: jsonValue.pipe(z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).min(1)),
  channel_id: text.optional(),
  channels: idList.optional(),
  thread_ts: text.optional(),
  initial_comment: text.optional(),
  blocks: jsonValue.optional(),
});

const completeUpload = method({
  scopes: ['files:write'],
  args: completing,
  run: (sandbox, args) => {
    const files = args.files.map(({ id, title }) => {
      const file = sandbox.workspace.files.get(id);
      if (!file || file.content.byteLength === 0) throw new ApiError('file_not_found');
      file.title = title ?? file.name;
      return file;
    });
    const channelIds = args.channels ?? (args.channel_id === undefined ? [] : [args.channel_id]);
    // Unlike in chat.postMessage, the id of a person is no conversation here.
    const channels = channelIds.map((id) => visibleChannel(sandbox, id));
    for (const channel of channels) {
      if (channel.isArchived) throw new ApiError('is_archived');
      if (!sandbox.workspace.hasApp(channel)) throw new ApiError('not_in_channel');
    }
    const share = {
      author: sandbox.workspace.app.botUserId,
      text: args.initial_comment ?? '',
      blocks: readBlocks(sandbox, args.blocks),
      threadTs: args.thread_ts ?? null,
    };
    for (const channel of channels) shareFiles(sandbox, channel, files, share);
    return { files: files.map((file) => fileObject(sandbox, file)) };
  },
});

function readBlocks(sandbox: Sandbox, blocks: unknown): Block[] {
  if (blocks === undefined) return [];
  const checked = checkMessageBlocks(sandbox, blocks);
  if ('value' in checked) return checked.value;
  throw new ApiError(checked.refusal.code, { messages: checked.refusal.messages });
}

const info = method({
  scopes: ['files:read'],
  args: z.object({ file: text }),
  run: (sandbox, args) => {
    const file = sandbox.workspace.files.get(args.file);
    if (!file) throw new ApiError('file_not_found');
    return { file: fileObject(sandbox, file), comments: [], response_metadata: { next_cursor: '' } };
  },
});

export const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': completeUpload,
  'files.info': info,
};
