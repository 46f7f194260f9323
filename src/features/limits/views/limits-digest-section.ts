import type { DigestSection, Feature } from '../../../core/feature.ts';
import type { Sentence } from '../../../core/slack/people/audience.ts';
import { allowEverybodysAmounts } from '../../../core/figures/groups/admission.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { dayOf, daysOf, type Period } from '../../../core/base/time/calendar.ts';
import { withRest, joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { ledgerIn, undoneBy } from '../core/ledger.ts';
import type { LedgerEntry, LimitRequest } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { entryWords, peopleWords } from '../core/person-text.ts';
import { readWaits, waitsLine } from './waits.ts';
import { listRequests } from '../core/requests.ts';
import { ageWords } from '../core/state-text.ts';
import { WAITING, type RequestState } from '../core/states.ts';

/**
 * The limits set in a period, one sentence per request and day, because they may explain later use. A request that was
 * undone on the same day has one sentence with its undo.
 */
export function createTimeline({ db }: Pick<LimitDeps, 'db'>): NonNullable<Feature['timeline']> {
  return async (period) => {
    const entries = await ledgerIn(db, period);
    const undone = await undoneBy(db, requestsOf(entries));
    const groups = Map.groupBy(entries, (entry) => keyOf(entry, entry.requestId));
    // By the key that the undone request has if it was set on the same day.
    const undos = new Map(
      entries.flatMap((entry) => {
        const id = undone.get(entry.requestId);
        return id === undefined ? [] : [[keyOf(entry, id), keyOf(entry, entry.requestId)] as const];
      }),
    );
    const merged = new Set([...undos].flatMap(([key, undo]) => (groups.has(key) ? [undo] : [])));
    return [...groups].flatMap(([key, group]) => {
      const [first] = group;
      if (!first || merged.has(key)) return [];
      const later = undos.has(key) ? ', then undone' : undone.has(first.requestId) ? ' by an undo' : '';
      return [{ day: dayOf(new Date(first.setAt)), ...sentenceOf(group, first, later) }];
    });
  };
}

const keyOf = ({ setAt: at }: LedgerEntry, id: string) => `${dayOf(new Date(at))} ${id}`;

const requestsOf = (entries: readonly LedgerEntry[]) => [...new Set(entries.map(({ requestId }) => requestId))];

/** Readers who may not see names get only the number of limits, without people or amounts. */
function sentenceOf(group: readonly LedgerEntry[], first: LedgerEntry, later: string): Sentence {
  const values = new Set(group.map((entry) => entryWords(entry)));
  const to = values.size === 1 ? ` to ${entryWords(first)}` : '';
  if (group.length === 1) {
    return {
      sentence: `one credit limit was set${later}`,
      named: () => `the credit limit of ${first.email} was set${to}${later} (request ${first.requestId})`,
    };
  }
  return {
    sentence: `${group.length} credit limits were set${later}`,
    named: () => `the credit limits of ${peopleWords(group.length)} were set${to}${later} (request ${first.requestId})`,
  };
}

/** Credit limits in a digest: limits set, and open requests. Without names, because digests are posted to channels. */
export function limitsSection(deps: LimitDeps): DigestSection {
  return {
    id: 'limits',
    title: 'Credit limits',
    description: 'How many limits were set, and what waits',
    namesPeople: false,
    isDefault: false,
    coversAudienceOnly: false,
    read: async ({ period, people, about }) => {
      const emails = people === undefined ? undefined : new Set(people);
      const set = (await ledgerIn(deps.db, period)).filter(({ email }) => emails?.has(email) ?? true);
      const waiting = await listRequests(deps.db, [...WAITING, 'outcome_unknown', 'unsure']);
      const undos = await undoneBy(deps.db, requestsOf(set));
      const pool = emails && (await deps.policies.poolLineOf(about));
      const waits = emails === undefined && isLong(period) ? waitsLine(await readWaits(deps.db, period)) : undefined;
      const lines = [
        setLine(set, undos),
        ...(waits ? [waits] : []),
        ...(emails === undefined ? waitingLines(waiting, deps.clock.now()) : []),
        ...(pool ? [pool] : []),
      ];
      const text = joinMarkup(lines, '\n');
      return {
        kind: 'ready',
        blocks: [section(text)],
        text,
        figures: { 'Limits set': allowEverybodysAmounts().amount(set.length) },
        isQuiet: set.length === 0 && waiting.length === 0,
        ...(set.length === 0 && lines.length === 1 ? { unchanged: 'credit limits' } : {}),
      };
    },
  };
}

/** A median of a few days says little. */
const LEAST_DAYS_OF_WAITS = 28;

const isLong = (period: Period) => daysOf(period).length >= LEAST_DAYS_OF_WAITS;

function setLine(set: readonly LedgerEntry[], undos: ReadonlyMap<string, string>): Markup {
  if (set.length === 0) return markup`No credit limit was set.`;
  const decided = set.filter(({ requestId }) => !undos.has(requestId));
  const undone = set.length - decided.length;
  const amounts = decided.filter(({ removed }) => removed !== 1);
  const removed = decided.length - amounts.length;
  const raised = amounts.filter(({ value, valueBefore: before }) => before !== null && value > before).length;
  const lowered = amounts.filter(({ value, valueBefore: before }) => before !== null && value < before).length;
  const first = amounts.filter(({ valueBefore: before }) => before === null).length;
  const details = [
    raised > 0 ? `${raised} raised` : '',
    lowered > 0 ? `${lowered} lowered` : '',
    first > 0 ? `${first} for the first time` : '',
    removed > 0 ? `${removed} removed` : '',
    undone > 0 ? `${undone} by an undo` : '',
  ].filter((detail) => detail !== '');
  const how = details.length === 0 ? markup`` : markup` (${details.join(', ')})`;
  return markup`*${countOf(set.length, 'credit limit')}* set${how}.`;
}

function waitingClause(state: RequestState): string {
  if (state === 'second_approval') return '; approved once, waits for a second approval';
  return WAITING.includes(state) ? '' : '; not known whether it was set';
}

const MAX_WAITING = 5;

function waitingLines(waiting: readonly LimitRequest[], now: Date): Markup[] {
  const count = waiting.length;
  if (count === 0) return [];
  const lines = waiting.map(
    ({ id, people, createdAt: at, state }) =>
      markup`•  \`${id}\` for ${peopleWords(people)}, ${ageWords(at, now)}${waitingClause(state)}`,
  );
  return [
    markup`*${countOf(count, 'request')}* ${count === 1 ? 'waits' : 'wait'} for an admin:`,
    ...withRest(lines, MAX_WAITING, (remaining) => markup`•  and ${countOf(remaining, 'newer one')}: \`/limits\``),
  ];
}
