import { type Cost, costAt } from '../../../core/base/text/numbers.ts';
import { parseJson } from '../../../core/base/text/parse-json.ts';
import type { CardFacts } from './request-card.ts';
import {
  DAYS_READ,
  evidenceSchema,
  MAX_PEOPLE_SHOWN,
  readEvidence,
  type Evidence,
  type EvidenceReading,
} from './evidence.ts';
import { dayOf, plusDays, type Day } from '../../../core/base/time/calendar.ts';
import { type PriceList, readPriceList } from '../../../core/figures/money/price-list.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { readCardApprovers } from '../approvers/card-approvers.ts';
import { factsOf, findRequest, groupFaults, keepEvidence, peopleOf, sumAmounts } from '../core/requests.ts';
import { readUndoFacts, type UndoFacts } from '../core/undo-facts.ts';
import { undoIdOf } from '../core/ids.ts';
import { amountAfter, readLimitForEverybody } from '../core/own-limit-removal.ts';
import { peopleWords, undoEffect } from '../core/person-text.ts';
import { isInUndoTime, isWaiting } from '../core/states.ts';
import { emailsOf, ledgerOf, openElsewhere, readLimitsOf } from '../core/ledger.ts';
import type { HoldingQuery } from '../../alerts/budgets/evaluate/budgets-holding.ts';
import { budgetsAtRequest, type BudgetAtRequest } from './budget-lines.ts';
import type { LimitHistory } from './evidence-text.ts';
import type { LimitDatabase, LimitPerson, LimitRequest } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { isStoreFault } from '../../../core/store/engines/store-fault.ts';
import { readVisible } from '../rights/visible-requests.ts';
import type { Viewer } from '../core/visible.ts';

const MAX_CHANGES = 3;
const MAX_OPEN = 5;

/**
 * @param maySeeUse whether the viewer may see figures of individuals
 * @param reader who sees the budgets
 */
export async function readCardFacts(
  deps: LimitDeps,
  id: string,
  viewer: Viewer,
  maySeeUse: boolean,
  reader: HoldingQuery['reader'],
): Promise<CardFacts | undefined> {
  const { db } = deps;
  const visible = await readVisible(db, id, viewer, readShownPeople);
  const request = await findRequest(db, id);
  // A viewer who sees only part cannot decide, and evidence covers the whole request.
  if (!visible || visible.extent !== 'all' || !request) return undefined;
  const { people } = visible;
  const faults = await groupFaults(db, id, MAX_PEOPLE_SHOWN);
  const totals = await sumAmounts(db, id);
  const policy = await deps.policies.onCard(request);
  const facts = { ...visible, faults, totals, policy };
  if (!isWaiting(visible.request))
    return { ...facts, evidence: undefined, history: new Map(), open: [], ...(await undoOf(deps, request, viewer)) };
  const evidence = maySeeUse ? await evidenceOf(deps, request) : withheldFrom(viewer);
  const open = await openElsewhere(db, emailsOf(people));
  const budgets = await budgetsOf(deps, request, reader);
  const prices = await readPriceList(db);
  return {
    ...facts,
    evidence,
    history: await historyOf(deps, request, people),
    approvers: await readCardApprovers(deps, request),
    costs: costsOf(prices, dayOf(deps.clock.now()), totals.requested, evidence),
    budgets,
    everybody: totals.removals > 0 ? await readLimitForEverybody(db) : undefined,
    open: open.filter(({ requestId: other }) => other !== id).slice(0, MAX_OPEN),
  };
}

/** A person who may not see use sees none in the review either. */
const withheldFrom = (viewer: Viewer): EvidenceReading | undefined =>
  viewer === 'reviewers' ? { kind: 'withheld' } : undefined;

/** A request is about the money of a budget, too. A card without it is better than none. */
async function budgetsOf(
  deps: LimitDeps,
  request: LimitRequest,
  reader: HoldingQuery['reader'],
): Promise<BudgetAtRequest[]> {
  const people = (await peopleOf(deps.db, request.id)).filter(({ state }) => state !== 'left_out');
  const emails = emailsOf(people);
  const budgets = await deps.readHoldingBudgets({ emails, reader }).catch((error: unknown) => {
    if (isStoreFault(error)) throw error;
    deps.log.warn({ err: error, request: request.id }, 'Reading the budgets beside a request failed');
    return [];
  });
  if (budgets.length === 0) return [];
  const [limitOf, everybody] = await Promise.all([readLimitsOf(deps, emails), readLimitForEverybody(deps.db)]);
  return budgetsAtRequest(budgets, people, limitOf, everybody);
}

function costsOf(
  prices: PriceList,
  today: Day,
  requested: number,
  reading: EvidenceReading | undefined,
): CardFacts['costs'] {
  const price = prices.on(today);
  if (!price) return undefined;
  const used = reading?.kind === 'read' ? costOfUse(prices, reading.evidence) : undefined;
  return { requested: costAt(price, requested), used };
}

/** The evidence has no single days, so that their use has a cost only at one price. */
function costOfUse(prices: PriceList, { lastDay, total }: Evidence): Cost | undefined {
  const price = prices.over({ first: plusDays(lastDay, 1 - DAYS_READ), last: lastDay });
  return price && costAt(price, total.long);
}

const readShownPeople = (db: LimitDatabase, id: string) => peopleOf(db, id, MAX_PEOPLE_SHOWN);

async function undoOf(
  { db, clock }: LimitDeps,
  request: LimitRequest,
  viewer: Viewer,
): Promise<Pick<CardFacts, 'undo' | 'undoEffect'>> {
  if (request.undoneAt !== null) return { undo: await readVisible(db, undoIdOf(request.id), viewer, readShownPeople) };
  if (!isInUndoTime(factsOf(request), clock.now())) return {};
  const facts = await readUndoFacts(db, request);
  return facts.earlierLimits === 'known' ? { undoEffect: effectOf(facts) } : {};
}

function effectOf({ people, valuesBefore }: Extract<UndoFacts, { earlierLimits: 'known' }>): Markup {
  const [person, ...others] = people;
  const value = person && valuesBefore.get(person.email);
  if (person && value !== undefined && others.length === 0) return undoEffect(person, value);
  return markup`The limits of ${peopleWords(people.length)} are set to what they were before.`;
}

/** Reads the evidence once and stores it, so that all copies of a card show the same. */
async function evidenceOf(deps: LimitDeps, request: LimitRequest): Promise<EvidenceReading> {
  const storedEvidence = evidenceSchema.safeParse(parseJson(request.evidence ?? '')).data;
  if (storedEvidence) return { kind: 'read', evidence: storedEvidence };
  const people = await peopleOf(deps.db, request.id);
  const everybody = await readLimitForEverybody(deps.db);
  const changes = people
    .map(({ email, toValue: amount, removes }) => ({ email, amount: amountAfter({ amount, removes }, everybody) }))
    .filter(({ amount }) => Number.isFinite(amount));
  const reading = await readEvidence(deps.days, changes, deps.clock.now());
  if (reading.kind === 'read') await keepEvidence(deps.db, request.id, JSON.stringify(reading.evidence));
  return reading;
}

async function historyOf(
  deps: LimitDeps,
  request: LimitRequest,
  people: readonly LimitPerson[],
): Promise<Map<string, LimitHistory>> {
  if (request.people > MAX_PEOPLE_SHOWN) return new Map();
  const { db } = deps;
  const known = await readLimitsOf(deps, emailsOf(people));
  const histories = await Promise.all(
    people.map(
      async ({ email }) => [email, { entries: await ledgerOf(db, email, MAX_CHANGES), limit: known(email) }] as const,
    ),
  );
  return new Map(histories);
}
