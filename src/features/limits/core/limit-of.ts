import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { inPieces } from './ledger.ts';
import type { LimitDatabase } from './limit-tables.ts';

/** The key of the declared limit that counts for everybody without another one. */
export const EVERYBODY = '*';

/** The only place that decides what is known of the limit of a person. */
export async function limitOf(db: LimitDatabase, email: string): Promise<KnownLimit> {
  return (await limitsOf(db, [email]))(email);
}

/** Returns what is known of each limit. A limit that was set here counts more than a declared one. */
export async function limitsOf(db: LimitDatabase, emails: readonly string[]): Promise<(email: string) => KnownLimit> {
  const set = await readSetLimits(db, emails);
  const declared = await readDeclaredLimits(db, emails);
  const withdrawn = await readWithdrawals(db, emails);
  return (email) =>
    set.get(email) ??
    declared.get(email) ??
    declared.get(EVERYBODY) ?? { kind: 'none', withdrawnAt: withdrawn.get(email) ?? withdrawn.get(EVERYBODY) };
}

/** Of several e-mails of one person, a limit that was set counts most, then one that is or was declared. */
export async function anyLimitOf(db: LimitDatabase, emails: readonly string[]): Promise<KnownLimit> {
  const known = await limitsOf(db, emails);
  const limits = emails.map((email) => known(email));
  return (
    limits.find(({ kind }) => kind === 'set') ??
    limits.find(({ kind }) => kind === 'declared') ??
    limits.find((limit) => limit.kind === 'none' && limit.withdrawnAt !== undefined) ?? { kind: 'none' }
  );
}

async function readSetLimits(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, KnownLimit>> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitLedger as entry')
      .leftJoin('limitRequests as request', 'request.id', 'entry.requestId')
      .leftJoin('limitRequestPeople as person', (join) =>
        join.onRef('person.requestId', '=', 'entry.requestId').onRef('person.email', '=', 'entry.email'),
      )
      .select(['entry.email', 'entry.requestId', 'entry.value', 'entry.setAt', 'request.until', 'person.returnValue'])
      .where('entry.email', 'in', piece)
      .orderBy('entry.setAt')
      .orderBy('entry.approvedAt')
      .execute(),
  );
  return new Map(
    rows.map(({ email, requestId, value, setAt, until, returnValue: back }) => {
      const isTemporary = until !== null && back !== null;
      const limit: KnownLimit = {
        kind: 'set',
        value,
        permanent: isTemporary ? Math.min(value, back) : value,
        until: isTemporary ? new Date(until) : undefined,
        at: new Date(setAt),
        requestId,
      };
      return [email, limit];
    }),
  );
}

async function readDeclaredLimits(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, KnownLimit>> {
  const rows = await inPieces([...emails, EVERYBODY], (piece) =>
    db.selectFrom('declaredLimits').selectAll().where('email', 'in', piece).execute(),
  );
  return new Map(
    rows.map(({ email, value, declaredBy: by, declaredAt }) => {
      const limit = { value, by, at: new Date(declaredAt), isForEverybody: email === EVERYBODY };
      return [email, { kind: 'declared', ...limit }];
    }),
  );
}

/** Returns when the last declared limit of each was withdrawn. Declared limits themselves count more. */
async function readWithdrawals(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, Date>> {
  const rows = await inPieces([...emails, EVERYBODY], (piece) =>
    db
      .selectFrom('limitDeclarations')
      .select(['email', 'declaredAt'])
      .where('email', 'in', piece)
      .where('value', 'is', null)
      .orderBy('declaredAt')
      .execute(),
  );
  return new Map(rows.map(({ email, declaredAt }) => [email, new Date(declaredAt)]));
}
