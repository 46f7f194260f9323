import { DAY_MS } from '../../../core/base/time/durations.ts';
import { amountOf, type KnownLimit } from '../../../core/figures/known-limit.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { unitOf, type LimitPeriod } from '../../../core/base/time/limit-period-days.ts';
import { actions, section } from '../../../core/slack/blocks/blocks.ts';
import { modal, sentenceView, type ModalView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { markup } from '../../../core/base/text/markup.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { findHookSession } from '../../sessions/hooks/core/sessions.ts';
import type { HookSession, HookTables } from '../../sessions/hooks/core/session-tables.ts';
import { showButton } from '../core/limit-buttons.ts';
import type { LimitDatabase, LimitRequest, LimitTables } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { findBySession } from '../core/requests.ts';
import { readAskFacts } from './ask-facts.ts';
import { NO_EMAIL } from './ask-texts.ts';
import { endOf, type EndFacts, type Ending, type RequestInput } from './input.ts';
import { ASK_TITLE, askView, EMPTY_INPUT } from './request-form.ts';
import { showWithDeciders } from './show-deciders.ts';

const REASON = 'I hit my limit and can’t work.';
const NOT_YOURS = 'Quartermaster knows no such session of yours.';

/**
 * *I hit my limit*: the form of a request for oneself, filled.
 *
 * @param sessionKey of the agent’s session whose card has the button; empty elsewhere
 */
export async function showBlockedForm(
  deps: LimitDeps,
  sessionKey: string,
  { person }: { person: Person },
  opened: OpenModal,
): Promise<void> {
  if (person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const session = sessionKey === '' ? undefined : await findOwnSession(deps.db, sessionKey, person);
  if (sessionKey !== '' && !session) return opened.show(sentenceView(ASK_TITLE, NOT_YOURS));
  const earlier = session && (await findBySession(deps.db, session.id));
  if (earlier) return opened.show(earlierView(earlier));
  const [own, unit] = await Promise.all([readAskFacts(deps, person), readLimitPeriod(deps)]);
  const input = blockedInput(own.limit, unit, { now: deps.clock.now(), month: own.month });
  const form = { isForOthers: false, isBlocked: true, ...(session ? { sessionKey: session.id } : {}) };
  await showWithDeciders(deps, askView(form, input, own), { person, people: [person] }, opened);
}

export async function findOwnSession(
  db: LimitDatabase,
  sessionKey: string,
  { slackId }: Pick<Person, 'slackId'>,
): Promise<HookSession | undefined> {
  const session = await findHookSession(db.$omitTables<keyof LimitTables>().withTables<HookTables>(), sessionKey);
  return session?.owner === slackId ? session : undefined;
}

/** A session has one request. */
export function earlierView({ id }: Pick<LimitRequest, 'id'>): ModalView {
  const line = markup`You already requested a limit for this session: \`${id}\`. For another one, type \`/limits request\`.`;
  return modal({ title: ASK_TITLE, blocks: [section(line), actions(showButton(id))] });
}

const RAISE = 1.25;
/** An end that is nearer than this would help for too short a time. */
const NEAR_MS = DAY_MS;

/** A quarter more than the limit in effect, until the period of limits ends. Empty fields if the limit is not known. */
export function blockedInput(limit: KnownLimit, unit: LimitPeriod | undefined, facts: EndFacts): RequestInput {
  const value = amountOf(limit);
  const blocked = { ...EMPTY_INPUT, reason: REASON };
  if (value === undefined || value === 0) return blocked;
  const ending = endingFor(unit, facts);
  return { ...blocked, amount: String(raisedFrom(value)), ending, until: endOf(ending, undefined, facts) };
}

function endingFor(unit: LimitPeriod | undefined, facts: EndFacts): Ending {
  const monthEnd = endOf('month', undefined, facts);
  const isNear = monthEnd !== undefined && monthEnd.getTime() - facts.now.getTime() < NEAR_MS;
  return unit !== undefined && unitOf(unit) === 'month' && !isNear ? 'month' : '7d';
}

/** Rounded up to two digits. @example raisedFrom(5_000_000) // 6_300_000 */
function raisedFrom(value: number): number {
  const raised = value * RAISE;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(raised)) - 1);
  return Math.ceil(raised / step) * step;
}
