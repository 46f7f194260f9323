import { MESSAGE_ROLES } from '../../core/platform/endpoints/sessions.ts';
import type { PlatformClient } from '../../core/platform/client.ts';
import type { Services } from '../../core/services.ts';
import { createCache } from '../../core/base/cache.ts';
import type { SessionRequest } from './session-command.ts';
import { buildTranscript, type QueriedMessage, type Transcript } from './transcript.ts';

const LIFE_MS = 60_000;
/** A longer session is read in part, and the answer says so. */
const MAX_MESSAGES = 5_000;
const MAX_CHARACTERS = 8_000_000;

/** Reads transcripts; within a minute, page turns use the same one. */
export function createTranscripts({ platform, clock }: Pick<Services, 'platform' | 'clock'>) {
  const transcripts = createCache(clock, LIFE_MS, (request: Omit<SessionRequest, 'from'>) =>
    readTranscript(platform, request),
  );
  return {
    /** @throws PlatformError */
    read: ({ sessionId, role, computerId }: Omit<SessionRequest, 'from'>) =>
      transcripts.get({ sessionId, role, computerId }),
  };
}
export type Transcripts = ReturnType<typeof createTranscripts>;

/** Reads a transcript without caching it. @throws PlatformError */
export async function readTranscript(
  platform: Pick<PlatformClient, 'sessions'>,
  { sessionId, role: requestedRole, computerId }: Pick<SessionRequest, 'sessionId'> & Partial<SessionRequest>,
): Promise<Transcript> {
  const queried: QueriedMessage[] = [];
  let characters = 0;
  let isCut = false;
  const roles = MESSAGE_ROLES.filter((role) => requestedRole === undefined || role === requestedRole);
  await Promise.all(
    roles.map(async (role) => {
      const query = { role, ...(computerId === undefined ? {} : { computerId }) };
      for await (const message of platform.sessions.eachMessage(sessionId, query)) {
        if (queried.length >= MAX_MESSAGES || characters >= MAX_CHARACTERS) {
          isCut = true;
          return;
        }
        queried.push({ message, role });
        characters += message.content.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
      }
    }),
  );
  return buildTranscript(queried, isCut);
}
