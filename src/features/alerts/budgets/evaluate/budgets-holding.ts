import { listBudgets } from '../core/budget-store.ts';
import { titleOf } from '../core/budget.ts';
import type { MessageFigures } from '../core/budget-payload.ts';
import { refusalToSee } from '../core/rights.ts';
import type { EvaluationDeps } from '../core/evaluation-deps.ts';
import { readBudgetStatuses } from './budget-status.ts';
import { readCreditSubject } from './members.ts';

/** A budget in which credits of people count, as a decision about their limits shows it. */
export interface HoldingBudget {
  title: string;
  /** Whose credits count: e-mails in lower case; undefined: everybody’s. */
  people: ReadonlySet<string> | undefined;
  figures: Pick<MessageFigures, 'spent' | 'credits' | 'through'>;
}

export interface HoldingQuery {
  /** In lower case. */
  emails: readonly string[];
  /** `channel`: only budgets of the organization, whose figures everybody may see. */
  reader: 'channel' | { seesPeople: boolean };
}

export type ReadHoldingBudgets = (query: HoldingQuery) => Promise<HoldingBudget[]>;

/** Returns the active budgets of the organization and of groups with one of these people, as far as the reader may see them. */
export async function readHoldingBudgets(
  deps: EvaluationDeps,
  { emails, reader }: HoldingQuery,
): Promise<HoldingBudget[]> {
  const rights = reader === 'channel' ? { seesPeople: false } : reader;
  const candidates = (await listBudgets(deps.db)).filter(
    (budget) =>
      budget.state === 'active' &&
      (budget.subject.kind === 'organization' || (budget.subject.kind === 'team' && reader !== 'channel')) &&
      refusalToSee(rights, budget) === undefined,
  );
  const holding = await Promise.all(
    candidates.map(async (budget) => {
      const counted = await readCreditSubject(deps, budget);
      const people = counted?.kind === 'people' ? new Set(counted.emails) : undefined;
      const isHolding = counted?.kind === 'organization' || emails.some((email) => people?.has(email));
      return isHolding ? [{ budget, people }] : [];
    }),
  );
  const found = holding.flat();
  const statuses = await readBudgetStatuses(
    deps,
    found.map(({ budget }) => budget),
    rights,
  );
  return statuses.flatMap((status, index) =>
    status.kind === 'known'
      ? [{ title: titleOf(status.budget), people: found[index]?.people, figures: status.figures }]
      : [],
  );
}
