import { MINUTE_MS } from '../base/time/durations.ts';
import type { AskDeps } from './ask-deps.ts';

/** How many questions a minute one person may ask, and all together. */
const LIMITS = {
  tool: { each: 30, all: 300 },
  message: { each: 10, all: 300 },
} as const;
const EVERYBODY = '';

export type QuestionAdmission = { kind: 'admitted' } | { kind: 'too_many'; waitSeconds: number; isFirst: boolean };

/** Counts a question in the store, so that all replicas share the limits. A refused one counts, too. */
export async function countQuestion(
  { db, clock }: Pick<AskDeps, 'db' | 'clock'>,
  way: keyof typeof LIMITS,
  slackId: string,
): Promise<QuestionAdmission> {
  const now = clock.now();
  const minute = now.toISOString().slice(0, 16);
  const rows = await db
    .insertInto('questionCounts')
    .values([EVERYBODY, slackId].map((asker) => ({ way, asker, minute, questions: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['way', 'asker', 'minute'])
        .doUpdateSet((set) => ({ questions: set('questionCounts.questions', '+', 1) })),
    )
    .returning(['asker', 'questions'])
    .execute();
  const { each, all } = LIMITS[way];
  const excess = rows.map(({ asker, questions }) => questions - (asker === EVERYBODY ? all : each));
  if (excess.every((count) => count <= 0)) return { kind: 'admitted' };
  const waitSeconds = Math.ceil((MINUTE_MS - (now.getTime() % MINUTE_MS)) / 1000);
  return { kind: 'too_many', waitSeconds, isFirst: excess.every((count) => count <= 1) };
}

export async function forgetOldCounts({ db, clock }: Pick<AskDeps, 'db' | 'clock'>): Promise<void> {
  const minute = new Date(clock.now().getTime() - MINUTE_MS).toISOString().slice(0, 16);
  await db.deleteFrom('questionCounts').where('minute', '<', minute).execute();
}
