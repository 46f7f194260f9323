import type { WebClient } from '@slack/web-api';
import type { Logger } from '../log.ts';
import type { Clock } from '../schedule/clock.ts';
import { createCache } from './cache.ts';
import { describeUser, userSchema, type SlackUser } from './slack-user.ts';

/** The people of a Slack user group. */
export interface Team {
  id: string;
  /** Without `@`: `web-team`. */
  handle: string;
  /** Slack ids of its members. */
  members: string[];
  /** Their e-mails in lower case, of those who have one. */
  emails: string[];
}

/** All people and user groups of the workspace. */
export interface Directory {
  users(): Promise<readonly SlackUser[]>;
  teams(): Promise<readonly Team[]>;
}

const LIFE_MS = 60 * 60_000;
const PAGE = 500;
/** users.list is a Tier 2 method: a workspace of more people than this is read in part. */
const MAXIMUM_PAGES = 40;

/** Reads everybody once an hour. What it is asked for rarely changes, and Slack gives these lists slowly. */
export function createDirectory(parts: { lookups: WebClient; clock: Clock; log: Logger }): Directory {
  const users = createCache(parts.clock, LIFE_MS, (_all: string) => readUsers(parts.lookups, parts.log));
  const teams = createCache(parts.clock, LIFE_MS, async (_all: string) => {
    const [answer, everybody] = await Promise.all([
      parts.lookups.usergroups.list({ include_users: true }),
      users.get('all'),
    ]);
    const emails = new Map(everybody.map((user) => [user.id, describeUser(user).email]));
    return (answer.usergroups ?? []).flatMap(({ id, handle, name, users: members = [] }): Team[] =>
      id === undefined
        ? []
        : [
            {
              id,
              handle: handle ?? name ?? id,
              members,
              emails: members.flatMap((member) => emails.get(member) ?? []),
            },
          ],
    );
  });
  return { users: () => users.get('all'), teams: () => teams.get('all') };
}

async function readUsers(lookups: WebClient, log: Logger): Promise<SlackUser[]> {
  const found: SlackUser[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAXIMUM_PAGES; page += 1) {
    const answer = await lookups.users.list({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    found.push(...(answer.members ?? []).flatMap((member) => userSchema.safeParse(member).data ?? []));
    const next = answer.response_metadata?.next_cursor || undefined;
    if (next === undefined || next === cursor) return found;
    cursor = next;
  }
  log.warn({ people: found.length }, 'The workspace has more people than are read; the rest count as being in no team');
  return found;
}
