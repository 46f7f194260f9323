import { shownToAddress } from '../../../../core/figures/groups/gate.ts';
import type { DailyCreditsRow } from '../../../../core/analytics/day-facts.ts';
import type { CreditSubject } from '../../../../core/figures/credit-subjects.ts';
import type { Admission } from '../../../../core/figures/groups/admission.ts';
import { readPriceList } from '../../../../core/figures/money/price-list.ts';
import { findDelivery } from '../../../../core/outbox/past-deliveries.ts';
import { type NamingPermission, findNamingPermission } from '../../../../core/slack/people/audience.ts';
import { ownerMessage } from '../core/budget-messages.ts';
import type { Figures, Threshold } from '../core/decide.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { messageFiguresOf, type MessageFigures, type Summary } from '../core/budget-payload.ts';
import type { MarkRow, StoredAlert } from '../core/budget-store.ts';
import { explain } from './explain.ts';
import { halfwayOf, type PeriodPlan } from './plan.ts';
import { allowForDestination, findRecipients, type Recipient } from './recipients.ts';

export interface MessageContext {
  budget: StoredAlert;
  /** The right of the budget’s readers to see single people. */
  naming: NamingPermission | undefined;
  currentSubject: CreditSubject;
  creditSubjectAt: (mark: MarkRow) => CreditSubject | undefined;
}

export type WrittenMessage =
  | { kind: 'send'; to: string; isToOwner: boolean; figures: MessageFigures }
  /** No reader may see it; the store records only that it was withheld. */
  | { kind: 'withheld' };

export interface WrittenPlan {
  /** One message for each recipient. */
  crossed: readonly { thresholds: readonly (Threshold & { round: number })[]; message: WrittenMessage }[];
  summary: { message: WrittenMessage; halfway: Summary['halfway'] } | undefined;
  /** The amounts that readers of earlier messages may see in corrections, by delivery key. */
  corrections: ReadonlyMap<string, Admission>;
}

export async function writePlan(
  deps: EvaluationDeps,
  context: MessageContext,
  plan: PeriodPlan,
  rows: readonly DailyCreditsRow[],
): Promise<WrittenPlan> {
  const corrections = await allowCorrections(deps, context, plan);
  const isSummary = plan.summary === 'tell';
  if (plan.report.length === 0 && !isSummary) return { crossed: [], summary: undefined, corrections };
  const { budget, currentSubject, naming } = context;
  const { used, forecast } = await findRecipients(deps, budget, currentSubject, plan.figures, naming);
  const groups =
    used === forecast || used.kind === forecast.kind
      ? [{ recipient: used, thresholds: plan.report }]
      : [
          { recipient: used, thresholds: plan.report.filter(({ basis }) => basis === 'actual') },
          { recipient: forecast, thresholds: plan.report.filter(({ basis }) => basis === 'forecast') },
        ];
  const crossed = await Promise.all(
    groups
      .filter(({ thresholds }) => thresholds.length > 0)
      .map(async ({ recipient, thresholds }) => ({
        thresholds,
        message: await writeFor(deps, context, recipient, plan.figures),
      })),
  );
  const summary = isSummary
    ? {
        message: await writeFor(deps, context, used, plan.figures),
        halfway: used.kind === 'withheld' ? undefined : admittedHalfway(plan, rows, used.admission),
      }
    : undefined;
  return { crossed, summary, corrections };
}

function admittedHalfway(
  { period }: PeriodPlan,
  rows: readonly DailyCreditsRow[],
  { isBestAlternative, amount }: Admission,
): Summary['halfway'] {
  const halfway = isBestAlternative ? halfwayOf(period, rows) : undefined;
  return halfway && { day: halfway.day, expected: amount(halfway.expected) };
}

async function writeFor(
  deps: EvaluationDeps,
  { budget, currentSubject, naming }: MessageContext,
  recipient: Recipient,
  figures: Figures,
): Promise<WrittenMessage> {
  if (recipient.kind === 'withheld') return recipient;
  const isToOwner = recipient.kind === 'owner';
  const messageFigures = messageFiguresOf(budget, figures, recipient.admission, await readPriceList(deps.db));
  const period = { first: figures.period.first, last: messageFigures.through };
  const mayName = budget.kind === 'budget' && budget.namesPeople && (isToOwner || naming !== undefined);
  const explained = await explain(deps, currentSubject, period, mayName);
  return {
    kind: 'send',
    to: isToOwner ? recipient.owner : budget.channel,
    isToOwner,
    figures: { ...messageFigures, explained },
  };
}

/** Decides what corrections may show: they concern the members counted then, and go to the readers of the original. */
async function allowCorrections(
  deps: EvaluationDeps,
  { budget, naming, creditSubjectAt }: MessageContext,
  { withdraw, summary, figures }: PeriodPlan,
): Promise<ReadonlyMap<string, Admission>> {
  const rows = [
    ...withdraw.map(({ row, figures: then }) => ({ row, figures: then })),
    ...(typeof summary === 'object' ? [{ row: summary.correct, figures }] : []),
  ];
  const admissions = new Map<string, Admission>();
  for (const { row, figures: then } of rows) {
    const key = row.deliveryKey;
    const people = creditSubjectAt(row);
    if (key === null || !people || admissions.has(key)) continue;
    const original = await findDelivery(deps.db, key);
    const readers =
      original?.kind === ownerMessage.name ? await findNamingPermission(deps.people, original.channel) : naming;
    const admission = await allowForDestination(deps, budget, people, then, readers, shownToAddress(budget.channel));
    if (admission) admissions.set(key, admission);
  }
  return admissions;
}
