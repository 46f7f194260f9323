import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { AdmittedWatch } from './allow-plan.ts';
import { LostRace } from '../lost-race.ts';
import { unusualDaysEdit, unusualDaysNote } from './unusual-day-payload.ts';
import { aboutOf, unusualDayWatches, correctWatchDay, insertWatchDay, storeMemberList } from './unusual-day-store.ts';

/** Throws `LostRace` if another process was faster. `key` is that of the message that reports the new days. */
export async function commitWatch(
  trx: DatabaseTransaction,
  one: AdmittedWatch,
  key: string | undefined,
  now: Date,
): Promise<void> {
  const { channel, subject } = one.watch;
  const isReported = one.plan.message !== 'none' && key !== undefined;
  const members = isReported && subject !== '' && one.emails ? await storeMemberList(trx, one.emails) : null;
  for (const { day, judgement, amount } of one.plan.days) {
    const row = { channel, subject, day, judgement, amount, isExpected: 0, members, at: now.toISOString() };
    if (!(await insertWatchDay(trx, { ...row, deliveryKey: isReported ? key : null }))) throw new LostRace();
  }
  await commitCorrections(trx, one, now);
}

async function commitCorrections(
  trx: DatabaseTransaction,
  { watch, plan, assessed, corrections }: AdmittedWatch,
  now: Date,
): Promise<void> {
  const { channel, subject } = watch;
  for (const { day, amount } of plan.corrections) {
    const admission = corrections.get(day);
    if (!admission) continue;
    if (!(await correctWatchDay(trx, { channel, subject, day, amount }))) throw new LostRace();
    const before = assessed.find((one) => one.day === day);
    const messageKey = before?.deliveryKey ?? '';
    const key = `${messageKey}:correction:${subject}:${day}`;
    await unusualDaysEdit.enqueue(trx, { key, to: channel, payload: { messageKey } }, now);
    const payload = {
      messageKey,
      about: aboutOf(unusualDayWatches.optionsOf(watch)),
      day,
      amount: admission.amount(amount),
      before: admission.amount(before?.amount ?? amount),
      ...(admission.sums.length > 0 ? { sums: admission.sums } : {}),
    };
    await unusualDaysNote.enqueue(trx, { key: `${key}:note`, to: channel, payload }, now);
  }
}
