import { setImmediate as nextTurn } from 'node:timers/promises';
import { actions, divider, header, message, section, type Block, type BlockMessage } from '../slack/blocks.ts';
import { hasRole, type Person } from '../slack/people.ts';
import { countOf, joinMarkup, markup, readerTime, type Markup } from '../slack/text.ts';
import { askButton, retryButton, reviewButton, showButton, withdrawButton } from './buttons.ts';
import type { LimitPerson, LimitRequest } from './limit-tables.ts';
import type { LimitParts } from './parts.ts';
import { countPeople, listNewest, listRequests, peopleOf, type PeopleCounts } from './requests.ts';
import { denialOf } from './rights.ts';
import { ageWords, askLine, stateLine } from './state-lines.ts';
import { UNFINISHED } from './states.ts';

/** One request in a list. */
interface Row {
  request: LimitRequest;
  people: LimitPerson[];
  counts: PeopleCounts;
}

const MOST_WAITING = 10;
const MOST_LATEST = 20;
const MOST_IN_HOME = 8;

async function rowsOf({ db }: LimitParts, requests: readonly LimitRequest[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const request of requests) {
    rows.push({ request, people: await peopleOf(db, request.id, 1), counts: await countPeople(db, request.id) });
    await nextTurn();
  }
  return rows;
}

/** What waits for somebody: for admins what they may decide or mend, for everybody their own open requests. Oldest first. */
async function waitingFor(parts: LimitParts, person: Person): Promise<LimitRequest[]> {
  const isAdmin = denialOf('list_waiting', person) === undefined;
  const open = await listRequests(parts.db, [...UNFINISHED, 'partly_applied'], isAdmin ? undefined : person.slackId);
  // What was set in part is only waiting for somebody who can do something about it.
  return open.filter(({ state }) => state !== 'partly_applied');
}

/** `/limits`: what waits, then the newest of the rest. */
export async function listMessage(parts: LimitParts, person: Person): Promise<BlockMessage> {
  const isAdmin = denialOf('list_waiting', person) === undefined;
  const all = await waitingFor(parts, person);
  const waiting = await rowsOf(parts, all.slice(0, MOST_WAITING));
  const seesAll = hasRole(person.role, 'manager');
  const shown = new Set(all.map(({ id }) => id));
  const newest = await listNewest(parts.db, MOST_LATEST, seesAll ? undefined : person.slackId);
  const latest = await rowsOf(
    parts,
    newest.filter(({ id }) => !shown.has(id)),
  );
  return buildList({ waiting, left: all.length - waiting.length, latest, isAdmin, person, now: parts.clock.now() });
}

interface ListView {
  waiting: readonly Row[];
  left: number;
  latest: readonly Row[];
  isAdmin: boolean;
  person: Person;
  now: Date;
}

function buildList({ waiting, left, latest, isAdmin, person, now }: ListView): BlockMessage {
  const title =
    waiting.length === 0
      ? markup`*${isAdmin ? 'No request waits.' : 'You have no open request.'}*`
      : markup`*${isAdmin ? 'What waits' : 'Your open requests'}*, oldest first`;
  const more = left > 0 ? [markup`${countOf(left, 'newer one')} not shown.`] : [];
  const latestLines = latest.map((row) => markup`•  ${rowLine(row)}`);
  const lines = [title, ...waiting.map((row) => waitingLine(row, now)), ...more, ...latestLines];
  return message(lines.map(({ text }) => text).join('\n'), [
    section(title),
    ...waiting.flatMap((row) => waitingBlocks(row, person, now)),
    ...more.map((line) => section(line)),
    ...(latest.length > 0
      ? [divider(), section(joinMarkup([markup`*The last requests*`, ...latestLines.slice(0, MOST_LATEST)], '\n'))]
      : []),
    actions(askButton()),
  ]);
}

function rowLine({ request, people, counts }: Row): Markup {
  return markup`\`${request.id}\`  ${askLine(request, people)}, ${readerTime(new Date(request.created_at))}. ${stateLine(request, counts)}`;
}

function waitingLine({ request, people, counts }: Row, now: Date): Markup {
  return markup`\`${request.id}\`  *${askLine(request, people)}*, ${ageWords(request.created_at, now)}\n${stateLine(request, counts)}`;
}

function waitingBlocks(row: Row, person: Person, now: Date): Block[] {
  const { id, state, requester } = row.request;
  const buttons = [
    ...(state === 'pending' && denialOf('decide', person, { requester }) === undefined ? [reviewButton(id)] : []),
    ...(state === 'outcome_unknown' && denialOf('retry', person) === undefined ? [retryButton(id)] : []),
    ...(state === 'pending' && requester === person.slackId ? [withdrawButton(id)] : []),
    showButton(id),
  ];
  return [section(waitingLine(row, now)), actions(...buttons)];
}

/** The part of App Home; nothing where nothing waits. */
export async function homeBlocks(parts: LimitParts, person: Person): Promise<Block[]> {
  const all = await waitingFor(parts, person);
  if (all.length === 0) return [];
  const rows = await rowsOf(parts, all.slice(0, MOST_IN_HOME));
  const left = all.length - rows.length;
  return [
    header('What waits for you'),
    ...rows.flatMap((row) => waitingBlocks(row, person, parts.clock.now())),
    ...(left > 0 ? [section(markup`${countOf(left, 'newer one')}: type \`/limits\`.`)] : []),
  ];
}
