import { FORECAST_DAYS } from '../insight/forecast.ts';
import { markup } from '../../base/text/markup.ts';
import { plusDays, type Period } from '../../base/time/calendar.ts';
import { notBeforeFirstDay } from '../../analytics/existing-period.ts';
import type { DigestSection, SectionReading } from '../../feature.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { reportError } from '../../slack/blocks/faults.ts';
import { prose, saidBy } from '../../slack/blocks/paragraphs.ts';
import { listBudgets, type StoredBudget } from './core/store.ts';
import { stateOf } from './core/words.ts';
import type { BudgetDeps } from './core/deps.ts';
import { periodOf, whyNotCounted } from './core/budget.ts';
import { readCounted, type Counted } from './evaluate/facts.ts';
import { countedOf, standingFor, type Standing } from './evaluate/standing.ts';
import { rowLines } from './manage/list.ts';

const MAX_AGE_MS = 5 * 60_000;
const MAX_BUDGETS = 6;

/** How the budgets stand on the last day of a digest. Those of chosen people stay out: a digest may go to everybody. */
export function budgetsSection(deps: BudgetDeps): DigestSection {
  return {
    id: 'budgets',
    title: 'Budgets',
    description: 'How much of each is used, and where it is heading',
    namesPeople: false,
    isDefault: false,
    read: async ({ period, readersSeePeople, log }): Promise<SectionReading> => {
      const all = (await listBudgets(deps.db)).filter(({ subject }) => subject.kind !== 'people');
      if (all.length === 0) {
        const text = markup`No budgets are set up.`;
        return { kind: 'ready', blocks: [section(text)], text, figures: {}, isQuiet: true, unchanged: 'budgets' };
      }
      const reader = { seesPeople: readersSeePeople };
      return readSection(deps, { budgets: all.slice(0, MAX_BUDGETS), reader }, period, (fault) =>
        reportError(fault, log, { section: 'Budgets', digest: period }),
      );
    },
  };
}

async function readSection(
  deps: BudgetDeps,
  { budgets, reader }: { budgets: readonly StoredBudget[]; reader: { seesPeople: boolean } },
  { last }: Period,
  report: (fault: unknown) => { sentence: string; reference: string },
): Promise<SectionReading> {
  const counted = await Promise.all(budgets.map((budget) => countedOf(deps, budget)));
  const starts = budgets.flatMap((budget) => periodOf(budget.period, last)?.first ?? []);
  const [first = last] = [...starts, plusDays(last, -FORECAST_DAYS)].toSorted();
  const wanted = counted.flatMap((one): Counted[] => (one ? [one] : []));
  const read = await readCounted(
    deps.days,
    wanted,
    { first: notBeforeFirstDay(first), last },
    { maxAgeMs: MAX_AGE_MS },
  );
  const parts = counted.map((one) => one && read(one));
  const fault = parts.find((part) => part?.kind === 'unreadable');
  if (fault?.kind === 'unreadable') return { kind: 'unreadable', ...report(fault.fault) };
  const standings: Standing[] = [];
  for (const [index, budget] of budgets.entries()) {
    const sentence = whyNotCounted(budget, deps.config.retentionDays.people);
    const [one, part] = [counted[index], parts[index]];
    if (sentence !== undefined) standings.push({ kind: 'not_counted', budget, sentence });
    else if (!one || part?.kind !== 'read') standings.push({ kind: 'nobody', budget });
    else
      standings.push(
        await standingFor(deps, budget, { counted: one, rows: part.rows, today: plusDays(last, 1) }, reader),
      );
  }
  const known = standings.flatMap((standing) => (standing.kind === 'known' ? [standing] : []));
  const isPublished = parts.every((part) => part?.kind !== 'read' || part.rows.at(-1)?.date === last);
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    ...saidBy(standings.map((standing) => prose(rowLines(standing)))),
    figures: Object.fromEntries(known.map(({ said, budget }) => [`${said.title} (${budget.id})`, said.spent])),
    isQuiet: known.every(({ said }) => stateOf(said) === 'within') && known.length === standings.length,
  };
}
