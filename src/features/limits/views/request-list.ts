import { header, section, type Block, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import {
  blocksOf,
  buttonRow,
  messageOf,
  prose,
  rule,
  type AnyParagraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { AttentionItem, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { OwnLimitLine } from '../../../core/feature.ts';
import { withinTime } from '../../../core/base/time/turns.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { clip, markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { formatPeriod, type Period } from '../../../core/base/time/calendar.ts';
import { countOf, formatNumber } from '../../../core/base/text/numbers.ts';
import { countAskedOf } from '../approvers/turns.ts';
import {
  askButton,
  blockedButton,
  choiceButtons,
  retryButton,
  reviewButton,
  showButton,
  withdrawButton,
} from '../core/limit-buttons.ts';
import { isFollowUp, type LimitRequest } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { listMadeOn, listNewest, listRequests, peopleOf } from '../core/requests.ts';
import { denialOf, isRequester, type Actor } from '../core/access.ts';
import { completeActor } from '../rights/four-eyes.ts';
import { nameOf } from '../core/person-text.ts';
import { ageWords, askLine, limitThatWasSet, stateLine } from '../core/state-text.ts';
import { isWaiting, UNFINISHED, WAITING } from '../core/states.ts';
import { mayReview } from '../approvers/second-approval.ts';
import { readVisible } from '../rights/visible-requests.ts';
import { readWaits, waitsLine } from './waits.ts';
import type { VisibleRequest } from '../core/visible.ts';

const MAX_WAITING = 10;
const MAX_LATEST = 20;
const MAX_IN_HOME = 8;
const MAX_COMMENT = 200;

async function rowsOf({ db }: LimitDeps, requests: readonly LimitRequest[], person: Person): Promise<VisibleRequest[]> {
  const rows: VisibleRequest[] = [];
  for (const { id } of requests) {
    const row = await readVisible(db, id, person, (from) => peopleOf(from, id, 1));
    if (row) rows.push(row);
  }
  return rows;
}

/** Returns open requests, oldest first: all of them for admins, and one’s own for everyone else. */
async function waitingFor(deps: LimitDeps, person: Person): Promise<LimitRequest[]> {
  const isAdmin = denialOf({ action: 'list_waiting' }, person) === undefined;
  return listRequests(deps.db, UNFINISHED, isAdmin ? undefined : person.slackId);
}

/** `/limits` also answers while the platform doesn't. */
const MAX_WAIT_MS = 2_000;

/** @param news what just happened to a request of the list */
export async function showList(
  deps: LimitDeps,
  { person, log, reply }: Pick<Interaction, 'person' | 'log' | 'reply'>,
  news?: Markup,
): Promise<void> {
  const reading = deps.readOwnLimitLine(person, log).catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the use of the own limit failed');
    return undefined;
  });
  const ownLimit = await withinTime(deps.clock, MAX_WAIT_MS, reading, undefined);
  await reply.show(await listMessage(deps, person, ownLimit, news));
}

/** `/limits`: one's own limit, open requests, then the newest others. */
async function listMessage(
  deps: LimitDeps,
  person: Person,
  ownLimit: OwnLimitLine | undefined,
  news: Markup | undefined,
): Promise<BlockMessage> {
  const isAdmin = denialOf({ action: 'list_waiting' }, person) === undefined;
  const all = await waitingFor(deps, person);
  const waiting = await rowsOf(deps, all.slice(0, MAX_WAITING), person);
  const seesAll = hasRole(person.role, 'manager');
  const waitingIds = new Set(all.map(({ id }) => id));
  const newest = await listNewest(deps.db, MAX_LATEST, seesAll ? undefined : person.slackId);
  const latest = await rowsOf(
    deps,
    newest.filter(({ id }) => !waitingIds.has(id)),
    person,
  );
  const now = deps.clock.now();
  const actor = await completeActor(deps, person);
  const hiddenCount = all.length - waiting.length;
  const title =
    waiting.length === 0
      ? markup`*${isAdmin ? 'Nothing is waiting for a decision.' : 'You have no open request.'}*`
      : markup`*${isAdmin ? 'Waiting for a decision' : 'Your open requests'}*, ${orderWords(waiting)}`;
  const latestLines = latest.map((row) => markup`•  ${rowLine(row)}`);
  const askButtons = ownLimit && ownLimit.state !== 'unknown' ? ownLimit.buttons : [];
  return messageOf(
    prose(news ? [news] : []),
    ...(ownLimit ? [ownLimit.line] : []),
    prose(title),
    ...waiting.flatMap((row) => waitingParagraphs(row, actor, now)),
    prose(hiddenCount > 0 ? [markup`${countOf(hiddenCount, 'newer one')} not shown.`] : []),
    ...(latest.length > 0 ? [rule(), prose([markup`*Recent requests*`, ...latestLines])] : []),
    buttonRow(...askButtons, blockedButton(), ...(seesAll || askButtons.length === 0 ? [askButton()] : [])),
  );
}

const orderWords = (waiting: readonly VisibleRequest[]): string =>
  waiting.some(({ request }) => request.isBlocked === 1) ? 'blocked first, then the oldest' : 'oldest first';

/** `/limits withdraw`: one’s own open requests. */
export async function openMessage(
  deps: LimitDeps,
  person: Person,
  requests: readonly LimitRequest[],
): Promise<BlockMessage> {
  const rows = await rowsOf(deps, requests.slice(0, MAX_WAITING), person);
  if (rows.length === 0) return messageOf(prose(markup`You have no open request.`), buttonRow(askButton()));
  const now = deps.clock.now();
  return messageOf(
    prose(markup`*Your open requests*, oldest first`),
    ...rows.flatMap((row) => [prose(waitingLine(row, now)), buttonRow(withdrawButton(row.request.id))]),
  );
}

/** `/limits last week`: the requests made on some days, newest first. */
export async function periodMessage(deps: LimitDeps, person: Person, days: Period): Promise<BlockMessage> {
  const requester = hasRole(person.role, 'manager') ? undefined : person.slackId;
  const requests = await listMadeOn(deps.db, days, MAX_LATEST + 1, requester);
  const rows = await rowsOf(deps, requests.slice(0, MAX_LATEST), person);
  const waits = hasRole(person.role, 'admin') ? waitsLine(await readWaits(deps.db, days)) : undefined;
  const when = `on ${formatPeriod(days)} (UTC)`;
  if (rows.length === 0) return messageOf(prose(markup`No requests were made ${when}.`), buttonRow(askButton()));
  return messageOf(
    prose(waits ? [waits] : []),
    prose([markup`*Requests made ${when}*, newest first`, ...rows.map((row) => markup`•  ${rowLine(row)}`)]),
    prose(requests.length > MAX_LATEST ? [markup`Older ones are not shown. Choose fewer days.`] : []),
    buttonRow(askButton()),
  );
}

function rowLine(row: VisibleRequest): Markup {
  const { request } = row;
  const limit = isFollowUp(request) ? undefined : limitThatWasSet(row);
  if (limit) {
    const isForOther = limit.person.slackId !== request.requester;
    const asker = isForOther ? markup` · requested by ${mention(request.requester)}` : markup``;
    return markup`\`${request.id}\`  ${nameOf(limit.person)}: ${stateLine(row)}${asker}`;
  }
  return markup`\`${request.id}\`  ${askLine(row)}, ${readerTime(new Date(request.createdAt))}. ${stateLine(row)}${whyDenied(request)}`;
}

/** The admin’s comment, for those who may see it. */
const whyDenied = ({ state, comment }: VisibleRequest['request']): Markup =>
  state === 'denied' && comment !== null ? markup`: “${clip(comment, MAX_COMMENT)}”` : markup``;

function waitingLine(row: VisibleRequest, now: Date): Markup {
  const { request } = row;
  return markup`\`${request.id}\`  *${askLine(row)}*, ${ageWords(request.createdAt, now)}\n${stateLine(row)}`;
}

function waitingParagraphs(row: VisibleRequest, person: Actor, now: Date): AnyParagraph[] {
  const { id, state } = row.request;
  const { involvement } = row;
  const buttons = [
    ...(mayReview(row, person) ? [reviewButton(id)] : []),
    ...(state === 'unsure' && denialOf({ action: 'resume', involvement }, person) === undefined
      ? choiceButtons(id)
      : []),
    ...(state === 'outcome_unknown' && denialOf({ action: 'resume', involvement }, person) === undefined
      ? [retryButton(id)]
      : []),
    ...(isWaiting(row.request) && isRequester(involvement) ? [withdrawButton(id)] : []),
    showButton(id),
  ];
  return [prose(waitingLine(row, now)), buttonRow(...buttons)];
}

/** Requests that this admin can decide; other open ones wait for another admin. */
export async function readAttention(deps: LimitDeps, person: Person): Promise<AttentionItem[]> {
  const rows = await rowsOf(deps, await listRequests(deps.db, WAITING), person);
  const actor = await completeActor(deps, person);
  const theirs = rows.filter((row) => mayReview(row, actor));
  if (theirs.length === 0) return [];
  const verb = theirs.length === 1 ? 'waits' : 'wait';
  const asked = await countAskedOf(deps.db, theirs, person.slackId);
  const them = theirs.length === 1 ? 'it' : `${formatNumber(asked)} of them`;
  const askedSentence = asked === 0 ? markup`` : markup` You are asked to decide ${them} now.`;
  return [
    {
      line: markup`⏳ *${countOf(theirs.length, 'request')} for a credit limit ${verb} for your decision.*${askedSentence}`,
      button: runCommandButton('Open', '/limits', commandText``),
    },
  ];
}

export async function homeBlocks(deps: LimitDeps, person: Person): Promise<Block[]> {
  const all = await waitingFor(deps, person);
  if (all.length === 0) return [];
  const rows = await rowsOf(deps, all.slice(0, MAX_IN_HOME), person);
  const actor = await completeActor(deps, person);
  const hiddenCount = all.length - rows.length;
  return [
    header(all.every(({ requester }) => requester === person.slackId) ? 'Your open requests' : 'Waiting for you'),
    ...blocksOf(rows.flatMap((row) => waitingParagraphs(row, actor, deps.clock.now()))),
    ...(hiddenCount > 0 ? [section(markup`${countOf(hiddenCount, 'newer one')}: type \`/limits\`.`)] : []),
  ];
}
