import { fetch } from 'undici';
import { z } from 'zod';
import { declinedScopeSentence } from '../client/optional-scopes.ts';
import { readBounded } from './bounded-body.ts';
import type { SlackClients } from '../client/clients.ts';
import type { Names, RecordDisclosure } from '../../base/privacy/disclosure.ts';
import { createDisclosureGuard } from './disclosure-guard.ts';
import type { ErasedPeople } from '../../store/erased-people.ts';
import { fileWithoutErased } from './without-erased.ts';
import type { Person } from '../people/people.ts';
import { mrkdwnOf, type Markup } from '../../base/text/markup.ts';

/** A channel or thread must have the bot as a member. */
export type FilePlace =
  | { person: Pick<Person, 'slackId' | 'email' | 'seesPeople'> }
  | { channel: string; threadTs?: string | undefined };

export interface NewFile {
  to: FilePlace;
  /** With its ending: `usage-2026-03.csv`. */
  name: string;
  title: string;
  content: string | Buffer;
  comment: Markup;
  /** A file with such rows is sent to a person only. */
  names?: Exclude<Names, 'nobody'>;
}

export type FileReading = { kind: 'read'; content: Buffer } | { kind: 'refused'; sentence: string };

export interface Files {
  /** Reads an uploaded file up to a size. */
  read(fileId: string, mostBytes: number): Promise<FileReading>;
  /** Throws if Slack refuses the file: the router then reports it to the person. */
  send(file: NewFile): Promise<void>;
}

/** The client never repeats a call whose answer was lost. */
export function createFiles(
  { interactive, lookups, hosts, agent }: Pick<SlackClients, 'interactive' | 'lookups' | 'hosts' | 'agent'>,
  recordDisclosure: RecordDisclosure,
  erased: Pick<ErasedPeople, 'recent'>,
): Files {
  return {
    read: (fileId, mostBytes) => readFile({ lookups, hosts, agent }, fileId, mostBytes),
    send: async ({ to, name, title, content, comment, names }) => {
      if (names && !('person' in to)) throw new Error('A file that names people was to go to a channel');
      if ('person' in to) await createDisclosureGuard(recordDisclosure, to.person).allow(names);
      const channel = 'person' in to ? await openDirect(interactive, to.person.slackId) : to.channel;
      const threadTs = 'person' in to ? undefined : to.threadTs;
      const upload = {
        channel_id: channel,
        filename: name,
        title,
        file: fileWithoutErased(bytesOf(name, content), erased.recent()),
        initial_comment: mrkdwnOf(comment),
      };
      await interactive.filesUploadV2(threadTs === undefined ? upload : { ...upload, thread_ts: threadTs });
    },
  };
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Excel reads a table without the mark in the letters of its country. Programs that read columns skip it. */
function bytesOf(name: string, content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return /\.csv$/i.test(name) && !hasMark ? Buffer.concat([BYTE_ORDER_MARK, bytes]) : bytes;
}

// Files need a conversation: unlike chat.postMessage, this method does not accept a person's id.
async function openDirect(interactive: SlackClients['interactive'], person: string): Promise<string> {
  const { channel } = await interactive.conversations.open({ users: person });
  return channel?.id ?? person;
}

const fileSchema = z.looseObject({ size: z.number(), url_private_download: z.url() });

const DOWNLOAD_TIMEOUT_MS = 10_000;
const TOO_LARGE = 'This file is too large. Split it.';
const UNREADABLE = 'Slack did not give the file. Try again, or paste the list.';

async function readFile(
  { lookups, hosts, agent }: Pick<SlackClients, 'lookups' | 'hosts' | 'agent'>,
  fileId: string,
  mostBytes: number,
): Promise<FileReading> {
  const answer = await lookups.files.info({ file: fileId }).catch((error: unknown) => {
    const sentence = declinedScopeSentence(error);
    if (sentence === undefined) throw error;
    return { sentence };
  });
  if ('sentence' in answer) return { kind: 'refused', sentence: answer.sentence };
  const { file } = answer;
  const { size, url_private_download: address } = fileSchema.parse(file);
  if (size > mostBytes) return { kind: 'refused', sentence: TOO_LARGE };
  // The request carries the token, so it goes to Slack's hosts only; files stored elsewhere are not downloaded.
  const response = await fetch(hosts.checkFileUrl(address), {
    headers: { authorization: `Bearer ${lookups.token ?? ''}` },
    redirect: 'error',
    dispatcher: agent,
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  });
  // Without the scope to read files, Slack answers with its sign-in page.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  if (!response.ok || isPage) return { kind: 'refused', sentence: UNREADABLE };
  const content = await readBounded(response.body, mostBytes);
  return content ? { kind: 'read', content } : { kind: 'refused', sentence: TOO_LARGE };
}
