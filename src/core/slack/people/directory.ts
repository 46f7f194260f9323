import type { UsersListResponse, WebClient } from '@slack/web-api';
import type { Logger } from '../../base/log.ts';
import { NOT_NEEDED, type Clock } from '../../base/time/clock.ts';
import { createCache } from '../../base/cache.ts';
import { retryAfterRateLimits } from '../client/retry-after-rate-limits.ts';
import { describeUser, userSchema, type SlackUser } from './user.ts';

export interface Team {
  id: string;
  /** Without `@`: `web-team`. */
  handle: string;
  /** Slack ids. */
  members: string[];
  /** Their e-mails in lower case, of those who have one. */
  emails: string[];
}

/** Groups are shown by their handle, never by their id. */
export const groupHandleOf = ({ handle, name }: { handle?: string; name?: string }): string | undefined =>
  handle || name || undefined;

/** Instead of the handle of a group that Slack doesn’t name. */
export const UNNAMED_GROUP = 'an unnamed group';

export interface Directory {
  users(): Promise<readonly SlackUser[]>;
  teams(): Promise<readonly Team[]>;
  /** Asks Slack for the groups, whatever is cached. */
  teamsNow(): Promise<readonly Team[]>;
}

const LIFE_MS = 60 * 60_000;
/** Slack's limit is below 1,000. users.list is a Tier 2 method: some twenty calls a minute. */
const PAGE = 999;
const MAX_PAGES = 200;
/** A large workspace takes minutes to read. Callers stop waiting after this time; a later call finds the result. */
const PATIENCE_MS = 15_000;

class DirectoryNotReadError extends Error {
  override readonly name = 'DirectoryNotReadError';
  constructor() {
    super('The people of the workspace are still being read');
  }
}

/** Users rarely change, and Slack returns these lists slowly, so the old list is used until the new one is complete. */
export function createDirectory(deps: ReadDeps): Directory {
  const users = keepReading(deps.clock, () => readUsers(deps));
  const teams = createCache(deps.clock, LIFE_MS, async () => {
    const [answer, everybody] = await Promise.all([deps.lookups.usergroups.list({ include_users: true }), users()]);
    const emails = new Map(everybody.map((user) => [user.id, describeUser(user).email]));
    return (answer.usergroups ?? []).flatMap((group): Team[] => {
      const { id, users: members = [] } = group;
      const handle = groupHandleOf(group);
      if (id === undefined || handle === undefined) return [];
      return [{ id, handle, members, emails: members.flatMap((member) => emails.get(member) ?? []) }];
    });
  });
  return { users, teams: () => teams.get(undefined), teamsNow: () => teams.reload(undefined) };
}

/** Waits only if there is no value yet; an old value is renewed in the background. One read at a time. */
function keepReading<Value>(clock: Clock, read: () => Promise<Value>): () => Promise<Value> {
  let latest: { value: Value; readAtMs: number } | undefined;
  let reading: Promise<Value> | undefined;
  const readOnce = () => {
    reading ??= read()
      .then((value) => {
        latest = { value, readAtMs: clock.now().getTime() };
        return value;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return async () => {
    if (latest && clock.now().getTime() - latest.readAtMs < LIFE_MS) return latest.value;
    const next = readOnce();
    // A caller that timed out, or got the older value, no longer listens for this failure.
    next.catch(() => undefined);
    return latest ? latest.value : withPatience(clock, next);
  };
}

async function withPatience<Value>(clock: Clock, reading: Promise<Value>): Promise<Value> {
  const done = new AbortController();
  const tooLate = clock.sleep(PATIENCE_MS, done.signal).then(() => {
    throw new DirectoryNotReadError();
  });
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([reading, tooLate]);
  } finally {
    done.abort(NOT_NEEDED);
  }
}

interface ReadDeps {
  lookups: WebClient;
  clock: Clock;
  log: Logger;
}

async function readUsers(deps: ReadDeps): Promise<SlackUser[]> {
  const users: SlackUser[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await readPage(deps, cursor);
    users.push(...(answer.members ?? []).flatMap((member) => userSchema.safeParse(member).data ?? []));
    const next = answer.response_metadata?.next_cursor || undefined;
    if (next === undefined || next === cursor) return users;
    cursor = next;
  }
  deps.log.warn(
    { people: users.length },
    'The workspace has too many people to read all; the others count as being in no team',
  );
  return users;
}

function readPage({ lookups, clock, log }: ReadDeps, cursor: string | undefined): Promise<UsersListResponse> {
  return retryAfterRateLimits(
    clock,
    () => lookups.users.list({ limit: PAGE, ...(cursor ? { cursor } : {}) }),
    (waitMs) => log.info({ waitMs }, 'Reading Slack’s users is slow; the rest follows'),
  );
}
