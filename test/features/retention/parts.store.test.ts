import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cardsStillReferenced as findOrderCards } from '../../../src/features/computers/computer-policies.ts';
import { STORED_TABLES } from '../../../src/features/stored-tables.ts';
import { keysOfLastPlanned } from '../../../src/features/digests/core/planned.ts';
import { cardsStillReferenced as findRequestCards } from '../../../src/features/limits/limit-retention.ts';
import type { EndedDelivery } from '../../../src/core/outbox/delivery-table.ts';
import { cardsStillReferenced as findSessionCards } from '../../../src/features/sessions/hooks/core/sessions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { DatabaseTransaction } from '../../../src/core/store/tables.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { keysReferencedByMarks } from '../../../src/features/alerts/budgets/core/budget-retention.ts';
import { keysReferencedByDays } from '../../../src/features/alerts/unusual-days/unusual-day-store.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';

const OLD = '2026-02-01T08:00:00.000Z';
const BEFORE = new Date('2026-06-01T00:00:00Z');
const NEW = '2026-06-02T08:00:00.000Z';

async function open(engine: Engine) {
  const database = await createDatabase(engine);
  const store = await openStore(database.url);
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  const { db } = store;
  return {
    db,
    /** Puts a row into a table, as another program would. */
    put: async (table: string, row: Record<string, string | number | null>) => {
      const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db);
    },
    /** The remaining values of a column. */
    left: async (table: string, column: string) => {
      const rows = await sql<{ value: unknown }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        order by ${sql.ref(column)}`.execute(db);
      return rows.rows.map(({ value }) => value);
    },
    prune: async (...tables: string[]) => {
      const parts = tables.flatMap((table) => STORED_TABLES[table]?.retention ?? []);
      let deleted = 0;
      for (const part of parts) for await (const rows of part.prune(db, BEFORE)) deleted += rows;
      return deleted;
    },
    needed: async <Ended>(
      find: (trx: DatabaseTransaction, ended: readonly Ended[]) => Promise<ReadonlySet<string>>,
      ended: readonly Ended[],
    ) => [...(await db.transaction().execute((trx) => find(trx, ended)))].toSorted(),
  };
}

const ended = (key: string, payload: object = {}): EndedDelivery => ({
  key,
  about: '',
  payload: JSON.stringify(payload),
});
const endedMessage = <Payload>(key: string, payload: Payload) => ({ key, about: '', payload });

describe.each(availableEngines())('old data past its retention, on %s:', (engine) => {
  test('entries of the audit, thousands of them', async () => {
    const { db, put, left, prune } = await open(engine);
    const rows = Array.from({ length: 1_200 }, (_, position) => ({
      about: 'limits:k7m2x',
      position,
      at: OLD,
      actor: 'U0ADA',
      action: 'approved',
      detail: null,
    }));
    await db.insertInto('audit').values(rows).execute();
    await put('audit', { about: 'limits:k7m2x', position: 1_200, at: NEW, actor: 'U0ADA', action: 'going back' });
    expect(await prune('audit')).toBe(1_200);
    expect(await left('audit', 'position')).toEqual([1_200]);
  });

  test('views of figures, thousands of one day', async () => {
    const { db, left, prune } = await open(engine);
    const look = { subject: 'mia.member@acme.example', what: 'usage' };
    const old = Array.from({ length: 1_200 }, (_, index) => ({ ...look, looker: `U${index}`, day: '2026-05-31' }));
    await db.insertInto('figureLooks').values(old).execute();
    await db
      .insertInto('figureLooks')
      .values({ ...look, looker: 'U1', day: '2026-06-01' })
      .execute();
    expect(await prune('figureLooks')).toBe(1_200);
    expect(await left('figure_looks', 'day')).toEqual(['2026-06-01']);
  });

  test('sessions of people’s agents, and views of sessions; a card stays as long as its session', async () => {
    const { db, put, left, prune, needed } = await open(engine);
    const session = { owner: 'U0MIA', state: 'waiting', tool_calls: 0, subagents: 0, other_events: 0 };
    for (const [id, at] of [
      ['old', OLD],
      ['new', NEW],
    ] as const)
      await put('hook_sessions', {
        ...session,
        id,
        session_id: id,
        since: at,
        first_at: OLD,
        last_at: at,
        card_key: `card:${id}`,
      });
    const looks = Array.from({ length: 1_300 }, (_, position) => ({
      about: position % 100 === 0 ? 'session:s1' : 'limits:k7m2x',
      position,
      at: position < 700 ? OLD : '2026-02-02T08:00:00.000Z',
      actor: 'U0ADA',
      action: 'looked at',
      detail: null,
    }));
    await db.insertInto('audit').values(looks).execute();
    await put('audit', { about: 'session:s1', position: 2_000, at: NEW, actor: 'U0ADA', action: 'looked at' });
    expect(await needed(findSessionCards, [ended('card:old'), ended('card:new'), ended('card:none')])).toEqual([
      'card:new',
      'card:old',
    ]);
    expect(await prune('hookSessions')).toBe(14);
    expect(await left('hook_sessions', 'id')).toEqual(['new']);
    const about = await left('audit', 'about');
    expect(about.filter((subject) => subject === 'session:s1')).toHaveLength(1);
    expect(about).toHaveLength(1_288);
    expect(await needed(findSessionCards, [ended('card:old'), ended('card:new')])).toEqual(['card:new']);
  });

  test('authors and acknowledgements of changes of the controls; the changes stay', async () => {
    const { put, left, prune } = await open(engine);
    const revision = {
      settings: '{}',
      digest: 'd',
      redaction: 1,
      user_id: 'u1',
      user_name: 'Ada',
      user_email: 'a@b.example',
    };
    await put('revisions', { ...revision, revision: 1, changed_at: OLD, seen_at: OLD });
    await put('revisions', { ...revision, revision: 2, changed_at: NEW, seen_at: NEW });
    for (const [through, at] of [
      [1, OLD],
      [2, NEW],
    ] as const)
      await put('controls_acknowledged', { notice_key: 'controls:C1:1:1', through, slack_id: 'U0ADA', at });
    expect(await prune('revisions', 'controlsAcknowledged')).toBe(2);
    expect(await prune('revisions', 'controlsAcknowledged')).toBe(0);
    expect(await left('revisions', 'revision')).toEqual([1, 2]);
    expect((await left('revisions', 'user_email')).filter((email) => email !== null)).toEqual(['a@b.example']);
    expect(await left('controls_acknowledged', 'through')).toEqual([2]);
  });

  test('finished orders of computers; active ones stay, with their cards', async () => {
    const { put, left, prune, needed } = await open(engine);
    const order = { person: 'U0MIA', channel: 'C1', name: 'data-lab', remote_user: 'agent', created_at: OLD };
    await put('computer_orders', { ...order, id: 'ready', state: 'ready', updated_at: OLD });
    await put('computer_orders', { ...order, id: 'lately', state: 'ready', updated_at: NEW });
    await put('computer_orders', { ...order, id: 'followed', state: 'following', updated_at: OLD });
    const cards = ['ready', 'lately', 'followed'].map((orderId) =>
      endedMessage(`computer:${orderId}:card`, { orderId }),
    );
    expect(await needed(findOrderCards, cards)).toEqual(['computer:followed:card']);
    expect(await prune('computerOrders')).toBe(1);
    expect(await left('computer_orders', 'id')).toEqual(['followed', 'lately']);
  });

  test('warnings of budgets; the current period stays with its members and its messages', async () => {
    const { put, left, prune, needed } = await open(engine);
    const budget = {
      kind: 'budget',
      follows_limit: 0,
      credits: 5_000_000,
      subject: '{"kind":"people","ids":["U0MIA"]}',
      thresholds: '{"actual":[80],"forecast":[]}',
      names_people: 0,
      channel: 'C1',
      set_up_on: '2026-01-14',
      is_armed: 1,
      version: 0,
      created_at: OLD,
    };
    await put('budgets', { ...budget, id: 'year', period: '{"unit":"year"}', state: 'active', changed_at: OLD });
    await put('budgets', { ...budget, id: 'month', period: '{"unit":"month"}', state: 'active', changed_at: OLD });
    await put('budgets', { ...budget, id: 'gone', period: '{"unit":"month"}', state: 'removed', changed_at: OLD });
    const mark = {
      basis: 'actual',
      percent: 80,
      credits: 5,
      round: 0,
      state: 'told',
      through: OLD,
      today: OLD,
      spent: 4,
      at: OLD,
    };
    for (const [id, first, members] of [
      ['year', '2026-01-01', 0],
      ['month', '2026-02-01', 0],
      ['month', '2026-06-01', 1],
      ['gone', '2026-06-01', 0],
    ] as const)
      await put('budget_marks', {
        ...mark,
        budget_id: id,
        period_first: first,
        members,
        delivery_key: `${id}:${first}`,
      });
    for (const [id, revision] of [
      ['year', 0],
      ['month', 0],
      ['month', 1],
      ['month', 2],
      ['gone', 0],
    ] as const)
      await put('budget_members', { budget_id: id, revision, emails: '[]', at: OLD });
    expect(await prune('budgetMarks', 'budgets')).toBe(5);
    expect(await left('budgets', 'id')).toEqual(['month', 'year']);
    expect(await left('budget_marks', 'delivery_key')).toEqual(['month:2026-06-01', 'year:2026-01-01']);
    expect(await left('budget_members', 'revision')).toEqual([0, 1, 2]);
    const messages = ['month:2026-02-01', 'month:2026-06-01'].map((key) => ended(key));
    expect(await needed(keysReferencedByMarks, messages)).toEqual(['month:2026-06-01']);
    expect(await prune('budgetMarks', 'budgets')).toBe(0);
  });

  test('reported days of a watch, except for those that the next evaluation compares with', async () => {
    const { put, left, prune, needed } = await open(engine);
    for (const day of ['2026-02-01', '2026-04-01', '2026-06-01'])
      await put('usage_watch_days', {
        channel: 'C1',
        subject: '',
        day,
        judgement: 'high',
        amount: 1,
        is_expected: 1,
        delivery_key: `usage-watch:C1:${day}`,
        at: OLD,
      });
    expect(await prune('usageWatchDays')).toBe(1);
    expect(await left('usage_watch_days', 'day')).toEqual(['2026-04-01', '2026-06-01']);
    const messages = ['2026-02-01', '2026-04-01'].map((day) => ended(`usage-watch:C1:${day}`));
    expect(await needed(keysReferencedByDays, messages)).toEqual(['usage-watch:C1:2026-04-01']);
  });

  test('sums of groups whose days are over, and groups without any sum', async () => {
    const { put, left, prune } = await open(engine);
    for (const [id, days] of [
      ['both', ['2026-02-01', '2026-06-01']],
      ['old', ['2026-02-01']],
    ] as const) {
      await put('usage_group_sets', { id, emails: '[]' });
      for (const day of days)
        await put('usage_group_sums', { set_id: id, first_day: day, last_day: day, is_by_day: 0, at: OLD });
    }
    expect(await prune('usageGroupSums')).toBe(2);
    expect(await left('usage_group_sums', 'last_day')).toEqual(['2026-06-01']);
    expect(await left('usage_group_sets', 'id')).toEqual(['both']);
  });

  test('cards of requests that may still change are kept, and the last digests of each subscription', async () => {
    const { put, needed } = await open(engine);
    const request = { kind: 'ask', requester: 'U0MIA', reason: 'x', people: 1, created_at: OLD, expires_at: NEW };
    await put('limit_requests', { ...request, id: 'open', state: 'pending' });
    await put('limit_requests', { ...request, id: 'over', state: 'denied' });
    const cards = ['open', 'over', 'none'].map((requestId) =>
      endedMessage(`limit-card:${requestId}:channel`, { requestId }),
    );
    expect(await needed(findRequestCards, cards)).toEqual(['limit-card:open:channel']);
    const dates = Array.from({ length: 8 }, (_, index) => `2026-02-0${index + 1}`);
    for (const date of dates) {
      const at = `${date}T09:00:00.000Z`;
      const row = { kind: 'digest', channel: 'C1', payload: '{}', state: 'sent', attempts: 1 };
      const about = { about: 'k7m2', slot: date };
      await put('deliveries', {
        ...row,
        ...about,
        key: `digest:k7m2:${date}`,
        due_at: at,
        next_attempt_at: at,
        created_at: at,
      });
    }
    const digests = dates.map((date) => ({ ...ended(`digest:k7m2:${date}`), about: 'k7m2' }));
    expect(await needed(keysOfLastPlanned, digests)).toEqual(dates.slice(3).map((date) => `digest:k7m2:${date}`));
  });
});
