import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';

const HOUR_MS = 3_600_000;

/** A limit that the platform was told, by a request as its row was at that moment. */
interface Told {
  email: string;
  limit: number | null;
  at: number;
  requestId: string;
  parentId: string | null;
  kind: string;
  isTemporary: boolean;
  /** When the answer, or a reading afterwards, confirmed it; undefined while the answer is lost. */
  confirmedAt: number | undefined;
}

/** What a lead, or the policy of a team, approved. */
export interface Grant {
  requestId: string;
  pool: string;
  email: string;
  value: number;
  /** The permanent limit then; undefined for a first limit. */
  permanent: number | undefined;
  until: number | undefined;
}

export type Mood = 'fine' | 'refuses' | 'lost_before' | 'lost_after' | 'busy';

/** What the platform holds and was told. It knows nothing of how the bot counts. */
export class TeamOracle {
  own = new Map<string, number>();
  told: Told[] = [];
  grants = new Map<string, Grant>();
  /** By team: its pool when something was charged to it last. */
  lastPool = new Map<string, number>();

  /** What the store can still know after it was set back: the platform keeps what it holds. */
  remember(): () => void {
    const kept = structuredClone({ told: this.told, grants: this.grants, lastPool: this.lastPool });
    return () => void Object.assign(this, structuredClone(kept));
  }

  async tell(
    db: PolicyDatabase,
    limits: readonly { email: string; limit: number | null }[],
    mood: Mood,
    at: number,
  ): Promise<void> {
    if (mood === 'refuses' || mood === 'busy') return;
    for (const { email, limit } of limits) {
      const row = await db
        .selectFrom('limitRequestPeople as person')
        .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
        .select(['request.id', 'request.parentId', 'request.kind', 'request.until'])
        .where('person.email', '=', email)
        .where('person.state', '=', 'sending')
        .orderBy('request.leasedUntil', 'desc')
        .executeTakeFirstOrThrow();
      if (!this.shownFirst.has(row.id)) this.shownFirst.set(row.id, this.shownOwn.get(email));
      this.note(
        { email, limit, requestId: row.id, parentId: row.parentId, kind: row.kind, isTemporary: row.until !== null },
        at,
        mood === 'fine',
      );
      if (mood !== 'lost_before') this.hold(email, limit);
    }
  }

  /** An admin approved it in the past, or just now. */
  given(email: string, limit: number, at: number): void {
    this.note({ email, limit, requestId: `given-${at}`, parentId: null, kind: 'ask', isTemporary: false }, at, true);
    this.hold(email, limit);
  }

  /** What the last reading showed, and what was shown before a request was first sent. */
  private shownOwn = new Map<string, number>();
  private shownFirst = new Map<string, number | undefined>();

  shownBefore(requestId: string, email: string): number | undefined {
    return this.shownFirst.has(requestId) ? this.shownFirst.get(requestId) : this.shownOwn.get(email);
  }

  /** Whose limit was set outside of Quartermaster at some time. */
  outside = new Set<string>();

  setOutside(email: string, limit: number, at: number): void {
    this.outside.add(email);
    this.note({ email, limit, requestId: `outside-${at}`, parentId: null, kind: 'ask', isTemporary: false }, at, false);
    this.hold(email, limit);
  }

  private note(told: Omit<Told, 'at' | 'confirmedAt'>, at: number, isConfirmed: boolean): void {
    this.told.push({ ...told, at, confirmedAt: isConfirmed ? at : undefined });
  }

  private hold(email: string, limit: number | null): void {
    if (limit === null) this.own.delete(email);
    else this.own.set(email, limit);
  }

  /** A reading shows whether the last limit of each person is in force. */
  shown(at: number): void {
    this.shownOwn = new Map(this.own);
    const last = new Map(this.told.map((one) => [one.email, one]));
    this.told = this.told.filter((one) => {
      if (one.confirmedAt !== undefined || last.get(one.email) !== one) return true;
      if ((this.own.get(one.email) ?? null) !== one.limit) return false;
      one.confirmedAt = at;
      return true;
    });
  }

  private permanents(email: string, told = this.told): Told[] {
    const stack: Told[] = [];
    for (const one of told) {
      if (one.email !== email || one.confirmedAt === undefined) continue;
      if (one.kind === 'return') continue;
      if (one.isTemporary && one.kind !== 'undo') {
        // Nothing returns to more than it was, so a lower limit with an end stays; without a limit, people typed 0.
        const permanent = stack.at(-1)?.limit ?? 0;
        if (stack.length === 0 || (one.limit ?? 0) < permanent)
          stack.push({ ...one, limit: Math.min(one.limit ?? 0, permanent) });
        continue;
      }
      const index = stack.findIndex(({ requestId }) => requestId === one.parentId);
      if (one.kind !== 'undo') stack.push(one);
      else if (index !== -1) stack.splice(index, 1);
    }
    return stack;
  }

  private confirmed(email: string, since = 0): (Told & { confirmedAt: number })[] {
    return this.told
      .slice(since)
      .flatMap((one) =>
        one.email === email && one.confirmedAt !== undefined ? { ...one, confirmedAt: one.confirmedAt } : [],
      );
  }

  /** What the platform was told before a request. */
  private before(requestId: string): Told[] {
    const index = this.told.findIndex((one) => one.requestId === requestId);
    return index === -1 ? this.told : this.told.slice(0, index);
  }

  permanentBefore(requestId: string, email: string): number | undefined {
    return this.permanents(email, this.before(requestId)).at(-1)?.limit ?? undefined;
  }

  /** The last answer was lost, and nothing settled it. */
  wasUnsure(requestId: string, email: string): boolean {
    const last = this.before(requestId).findLast((one) => one.email === email);
    return last !== undefined && last.confirmedAt === undefined && !last.requestId.startsWith('outside-');
  }

  wasTold(requestId: string): boolean {
    return this.told.some((one) => one.requestId === requestId);
  }

  /** The time in which a grant is in effect, or may be; undefined if the platform was never told. */
  private span({ requestId, email, permanent, until }: Grant): { from: number; to: number } | undefined {
    const own = this.told.find((one) => one.requestId === requestId);
    if (!own) return undefined;
    const later = this.confirmed(email, this.told.indexOf(own)).filter((one) => one.requestId !== requestId);
    if (permanent === undefined) {
      const stack = this.permanents(email);
      const isUndone = later.some((one) => one.kind === 'undo' && one.parentId === requestId);
      const replaced = later.find((one) => stack.some((kept) => kept.requestId === one.requestId));
      const end = isUndone ? later.find(({ parentId }) => parentId === requestId) : replaced;
      return { from: own.at, to: end?.confirmedAt ?? Infinity };
    }
    const [end] = later;
    const isOnTime = end?.parentId === requestId && until !== undefined && end.confirmedAt <= until + HOUR_MS;
    return { from: own.at, to: isOnTime ? Math.min(until, end.confirmedAt) : (end?.confirmedAt ?? Infinity) };
  }

  /** What the pool paid for in a period of limits: for each e-mail the highest raise, and the whole first limit. */
  setBeyond(pool: string, { from, before }: { from: number; before: number }): number {
    const byEmail = new Map<string, { raise: number; first: number }>();
    for (const grant of this.grants.values()) {
      const span = grant.pool === pool ? this.span(grant) : undefined;
      if (!span || span.from >= before || span.to <= from) continue;
      const sums = byEmail.get(grant.email) ?? { raise: 0, first: 0 };
      if (grant.permanent === undefined) sums.first = Math.max(sums.first, grant.value);
      else sums.raise = Math.max(sums.raise, grant.value - grant.permanent);
      byEmail.set(grant.email, sums);
    }
    return [...byEmail.values()].reduce((sum, { raise, first }) => sum + raise + first, 0);
  }
}
