import type { Job } from '../../../core/schedule/job.ts';
import { todayOf } from '../../../core/analytics/period.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { modelRetires } from './retiring-messages.ts';
import { listRetiring, listStops, recordStep, type RetiringModel } from './retiring-store.ts';
import { dueStep, type Step } from './steps.ts';
import { readModelsLately, stillUsing } from './users-of-models.ts';

export const retiringJob = (deps: AlertDeps): Job => ({
  name: 'announce-retiring-models',
  cron: '23 * * * *',
  purpose: 'tells people 30, 7 and 0 days before that their main model retires',
  run: () => announceRetiring(deps),
});

/** A reading that fails is tried again by the next run: only then is the step recorded. */
async function announceRetiring(deps: AlertDeps): Promise<void> {
  const today = todayOf(deps);
  const due = (await listRetiring(deps.db)).flatMap((row) => {
    const step = dueStep(row, today);
    return step === undefined ? [] : [{ row, step }];
  });
  if (due.length === 0) return;
  const reading = await readModelsLately(deps);
  if (reading.kind === 'unreadable') {
    deps.log.warn({ err: reading.fault }, 'Reading who uses a model that retires failed; it is tried again');
    return;
  }
  const stopped = await listStops(deps.db);
  for (const { row, step } of due) {
    const lastDays = new Map(
      stillUsing(reading.people, row.model).flatMap(({ emails, last }) => emails.map((email) => [email, last.day])),
    );
    const ids = lastDays.size === 0 ? new Map<string, string>() : await deps.people.findByEmails([...lastDays.keys()]);
    if (!ids) return;
    const readers = new Map(
      [...ids].flatMap(([email, slackId]) =>
        stopped.has(slackId) ? [] : [[slackId, lastDays.get(email) ?? today] as const],
      ),
    );
    await announce(deps, row, step, readers);
  }
}

async function announce(
  { db, clock }: AlertDeps,
  row: RetiringModel,
  step: Step,
  readers: ReadonlyMap<string, string>,
): Promise<void> {
  const { model, retiresOn } = row;
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    if (!(await recordStep(trx, row, step))) return;
    const messages = [...readers].map(([to, lastUsedOn]) => ({
      key: `model-retires:${model}:${retiresOn}:${step}:${to}`,
      to,
      payload: { model, retiresOn, lastUsedOn },
      about: model,
    }));
    await modelRetires.enqueueAll(trx, messages, now);
  });
}
