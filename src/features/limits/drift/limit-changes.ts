import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import {
  isShownBeforeRestore,
  listUntold,
  markTold,
  type ChangedLimit,
} from '../../../core/platform/capabilities/shown-limit-store.ts';
import { shownOfText, textOfShown } from '../../../core/platform/capabilities/shown-limit.ts';
import { settingsOf, type Setting } from '../core/ledger.ts';
import type { LimitDatabase, LimitTransaction } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { CardTarget } from '../core/notify.ts';
import { enqueueChanges } from './write-limit-changes.ts';

/** Tells admins which limits were changed elsewhere: one message for each reading, and each value once. */
export async function announceLimitChanges(deps: LimitDeps, cardTarget: () => Promise<CardTarget>): Promise<void> {
  const untold = await listUntold(deps.db);
  if (untold.length === 0 || (await isShownBeforeRestore(deps.db, await deps.capabilities.limits()))) return;
  const target = await cardTarget();
  const now = deps.clock.now();
  for (const [at, changes] of Map.groupBy(untold, ({ changedAt }) => changedAt))
    await deps.db.transaction().execute(async (trx) => {
      const taken = await markTold(trx, changes);
      const foreign = await withoutOwn(trx, taken);
      if (foreign.length === 0) return;
      const payload = { id: idOf(at, foreign), at, changes: foreign.map((change) => payloadOf(change)) };
      await enqueueChanges(trx, payload, target, now);
    });
}

const payloadOf = ({ email, shownBefore, shown }: ChangedLimit) => ({ email, before: shownBefore, now: shown });

const idOf = (at: string, changes: readonly ChangedLimit[]): string =>
  createHash('sha256')
    .update(`${at} ${changes.map(({ email, shown }) => `${email} ${shown}`).join('\n')}`)
    .digest('base64url')
    .slice(0, 16);

/** What was set here, or may have been sent without a known outcome, was not changed elsewhere. */
async function withoutOwn(trx: LimitTransaction, changes: readonly ChangedLimit[]): Promise<ChangedLimit[]> {
  const emails = changes.map(({ email }) => email);
  const entries = await settingsOf(trx, emails);
  const sent = await sentTo(trx, emails);
  return changes.filter(({ email, shown, changedAt }) => {
    const settings = entries.get(email) ?? [];
    const lastSetAt = settings.findLast(({ setAt }) => setAt < changedAt)?.setAt ?? '';
    const sentValues = (sent.get(email) ?? [])
      .filter(({ state, decidedAt }) => state !== 'superseded' || (decidedAt ?? '') > lastSetAt)
      .map(({ approvedValue, removes }) => valueOf(approvedValue, removes));
    const own = [...sentValues, ...setAround(settings, changedAt)];
    return !own.includes(shownOfText(shown).kind === 'own' ? shown : REMOVED);
  });
}

const REMOVED = 'removed';
/** As the platform then shows it; undefined if no value was decided. */
const valueOf = (value: number | null, removed: number | null): string | undefined =>
  removed === 1 ? REMOVED : value === null ? undefined : textOfShown({ kind: 'own', value });

/** The clocks of two processes differ by less. */
const SKEW_MS = 2 * MINUTE_MS;

/** Returns the value that was set here last before a reading, and those that were on their way when it began. */
function setAround(settings: readonly Setting[], at: string): (string | undefined)[] {
  const latest = new Date(Date.parse(at) + SKEW_MS).toISOString();
  const before = settings.findLast(({ setAt }) => setAt < at);
  const onTheWay = settings.filter(({ setAt, approvedAt }) => setAt >= at && approvedAt <= latest);
  return [...(before ? [before] : []), ...onTheWay].map(({ value, removed }) => valueOf(value, removed));
}

/** Those that were not sent again may have been sent before, without a known outcome. */
async function sentTo(db: LimitDatabase, emails: readonly string[]) {
  const rows = await db
    .selectFrom('limitRequestPeople as person')
    .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
    .select(['person.email', 'person.approvedValue', 'person.removes', 'person.state', 'request.decidedAt'])
    .where('person.email', 'in', emails)
    .where('person.state', 'in', ['sending', 'unknown', 'superseded'])
    .execute();
  return Map.groupBy(rows, ({ email }) => email);
}
