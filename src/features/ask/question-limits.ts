import { MINUTE_MS } from '../../core/base/time/durations.ts';
import type { AskDeps } from './ask-deps.ts';

/** How many questions a minute one person may ask, and all together. */
const LIMITS = {
  tool: { each: 30, all: 300 },
  message: { each: 10, all: 300 },
} as const;
const EVERYBODY = '';

export type QuestionAdmission = { kind: 'admitted' } | { kind: 'too_many'; waitSeconds: number; isFirst: boolean };

/**
 * Counts a question in the store, so that all replicas share the limits. One that is refused for its person counts for
 * that person alone, so it does not use up the questions of others.
 */
export async function countQuestion(
  { db, clock }: Pick<AskDeps, 'db' | 'clock'>,
  way: keyof typeof LIMITS,
  slackId: string,
): Promise<QuestionAdmission> {
  const now = clock.now();
  const minute = now.toISOString().slice(0, 16);
  const countFor = async (asker: string) => {
    const { questions } = await db
      .insertInto('questionCounts')
      .values({ way, asker, minute, questions: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['way', 'asker', 'minute'])
          .doUpdateSet((set) => ({ questions: set('questionCounts.questions', '+', 1) })),
      )
      .returning('questions')
      .executeTakeFirstOrThrow();
    return questions;
  };
  const { each, all } = LIMITS[way];
  const ownExcess = (await countFor(slackId)) - each;
  const excess = ownExcess > 0 ? ownExcess : (await countFor(EVERYBODY)) - all;
  if (excess <= 0) return { kind: 'admitted' };
  const waitSeconds = Math.ceil((MINUTE_MS - (now.getTime() % MINUTE_MS)) / 1000);
  return { kind: 'too_many', waitSeconds, isFirst: excess === 1 };
}

export async function forgetOldCounts({ db, clock }: Pick<AskDeps, 'db' | 'clock'>): Promise<void> {
  const minute = new Date(clock.now().getTime() - MINUTE_MS).toISOString().slice(0, 16);
  await db.deleteFrom('questionCounts').where('minute', '<', minute).execute();
}
