import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { withPolicies, type PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import type { ReadinessTables } from '../../../src/features/readiness/watch/readiness-watch-store.ts';
import type { RetentionTables } from '../../../src/features/retention/table.ts';
import { withAsk } from '../../../src/features/ask/ask-tables.ts';
import { withHooks } from '../../../src/features/sessions/hooks/core/session-tables.ts';
import type { ShownLimitTables } from '../../../src/core/platform/capabilities/shown-limit-store.ts';
import type { CapabilityTables } from '../../../src/core/platform/capabilities/capability-store.ts';
import type { RefusalTables } from '../../../src/core/watches/refusal-table.ts';
import type { ControlsTables } from '../../../src/features/controls/core/revisions.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { MIGRATIONS, migrate } from '../../../src/core/store/migrate.ts';
import { openingProgram, runProgram } from '../../support/processes/opening-program.ts';
import { availableEngines, createEmptyDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const stores: Store[] = [];
const databases: TestDatabase[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function open(url: string): Promise<Store> {
  const store = await openStore(url);
  stores.push(store);
  return store;
}

describe.each(availableEngines())('the store on %s', (engine) => {
  const empty = async () => {
    const database = await createEmptyDatabase(engine);
    databases.push(database);
    return database.url;
  };

  test('creates its schema once, and opening it again changes nothing', async () => {
    const url = await empty();
    const first = await open(url);
    await first.db.insertInto('seenEvents').values({ key: 'a', seenAt: '2026-03-01T00:00:00.000Z' }).execute();
    const second = await open(url);
    expect(await second.db.selectFrom('seenEvents').select('key').execute()).toEqual([{ key: 'a' }]);
  });

  test('keeps the rows of a filled database when a later migration arrives', async () => {
    const url = await empty();
    const store = await open(url);
    await fill(store.db);
    await expectRowsInEveryTable(store.db);
    await migrate(store.db, {
      ...MIGRATIONS,
      '9999-later': {
        up: async (db: Kysely<unknown>) => {
          await db.schema.alterTable('deliveries').addColumn('later', 'text').execute();
        },
      },
    });
    const kept = await store.db.selectFrom('deliveries').select(['key', 'state']).execute();
    expect(kept).toEqual([{ key: 'digest:settings:2026-03-02', state: 'sent' }]);
  });

  test('undoes all of a migration that fails half-way', async () => {
    const store = await open(await empty());
    const broken = {
      ...MIGRATIONS,
      '9999-broken': {
        up: async (db: Kysely<unknown>) => {
          await db.schema.createTable('half').addColumn('id', 'text').execute();
          throw new Error('half-way');
        },
      },
    };
    await expect(migrate(store.db, broken)).rejects.toThrow('half-way');
    const tables = await store.db.introspection.getTables();
    expect(tables.map((table) => table.name)).not.toContain('half');
  });

  test('refuses a database of a newer version in one sentence', async () => {
    const url = await empty();
    const store = await open(url);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2027-01-01')`.execute(store.db);
    await expect(openStore(url)).rejects.toThrow(/newer version of Quartermaster \(it holds 9999-future\)/);
  });

  test('refuses a database from before the first release in one sentence, which asks for a new one', async () => {
    const url = await empty();
    const store = await open(url);
    await sql`delete from kysely_migration`.execute(store.db);
    await sql`insert into kysely_migration (name, timestamp) values ('0001-deliveries', '2026-11-01')`.execute(
      store.db,
    );
    await expect(openStore(url)).rejects.toThrow(/before 0\.2\.0, which was never released. Start with a new database/);
  });

  test('grants a conditional update to one of ten concurrent attempts', async () => {
    const url = await empty();
    const one = await open(url);
    // Two connections to one file would wait for each other inside this one process.
    const two = engine === 'postgres' ? await open(url) : one;
    await fill(one.db);
    const attempts = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? one : two).db
        .updateTable('deliveries')
        .set({ state: 'failed' })
        .where('state', '=', 'sent')
        .executeTakeFirst(),
    );
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result.numUpdatedRows === 1n)).toHaveLength(1);
  });
});

/** A new table needs rows here too, or its later migrations are tested on no rows. */
async function expectRowsInEveryTable(db: Store['db']): Promise<void> {
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    expect(rows, `rows in ${name}`).toHaveLength(1);
  }
}

async function fill(db: Store['db']): Promise<void> {
  const at = '2026-03-02T08:00:00.000Z';
  await db
    .insertInto('deliveries')
    .values({
      key: 'digest:settings:2026-03-02',
      kind: 'digest',
      channel: 'C1',
      payload: '{}',
      state: 'sent',
      attempts: 1,
      dueAt: at,
      nextAttemptAt: at,
      createdAt: at,
    })
    .execute();
  await db
    .insertInto('deliveryHistory')
    .values({ deliveryKey: 'digest:settings:2026-03-02', position: 0, at, step: 'planned', detail: null })
    .execute();
  await db
    .insertInto('subscriptions')
    .values({
      id: 'settings',
      kind: 'digest',
      channel: 'C1',
      schedule: '{}',
      settings: '{}',
      state: 'active',
      nextDueAt: at,
      createdAt: at,
      updatedAt: at,
      owner: 'U0MORGAN',
    })
    .execute();
  await db
    .insertInto('channelSubscriptions')
    .values({
      kind: 'controls',
      channel: 'C1',
      subject: '',
      filter: '[]',
      state: 'active',
      failures: 0,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  await db.insertInto('forgottenDeliveries').values({ keyHash: '0a1b' }).execute();
  await db
    .withTables<RetentionTables>()
    .insertInto('retentionRuns')
    .values({ place: 'here', finishedOn: '2026-03-01', leasedUntil: null })
    .execute();
  await db.insertInto('seenEvents').values({ key: 'command:1', seenAt: at }).execute();
  const kept = {
    key: '0a1b',
    interaction: 'form:V1:1',
    kind: 'form' as const,
    payload: '{}',
    receivedAt: at,
    leasedUntil: at,
    attempts: 1,
  };
  await db.insertInto('pendingInteractions').values(kept).execute();
  await db
    .withTables<RefusalTables>()
    .insertInto('statusNotices')
    .values({ topic: 'platform_key', state: 'refused', since: '2026-03-02T07:00:00.000Z' })
    .execute();
  await db
    .withTables<RefusalTables>()
    .insertInto('sourceReadings')
    .values({ source: 'figures', part: 'tokens', readAt: at, failingSince: null, failedAt: null, lastError: null })
    .execute();
  const capabilities = db.withTables<CapabilityTables>();
  const capability = { state: 'reads' as const, since: at, askedAt: at, readAt: at, reason: null };
  await capabilities
    .insertInto('platformCapabilities')
    .values({ operation: 'limits', ...capability })
    .execute();
  const everybody = { email: '*', shown: 'everybody 20000000', shownBefore: null, changedAt: at, isTold: 1 };
  await db.withTables<ShownLimitTables>().insertInto('platformLimits').values(everybody).execute();
  await capabilities.insertInto('platformPlaces').values({ operation: 'readiness', place: '/reports' }).execute();
  const hooks = withHooks(db);
  const inbox = { owner: 'U0MIA', openedAt: at, quietFrom: '22:00', quietUntil: '07:00' };
  await hooks.insertInto('hookInboxes').values(inbox).execute();
  const token = { tokenHash: '0a1b', owner: 'U0MIA', createdAt: at, expiresAt: null };
  await hooks.insertInto('hookTokens').values(token).execute();
  const ask = withAsk(db);
  await ask
    .insertInto('mcpTokens')
    .values({ ...token, expiresAt: at, lastUsedOn: null })
    .execute();
  const count = { way: 'tool' as const, asker: 'U0MIA', minute: at.slice(0, 16), questions: 1 };
  await ask.insertInto('questionCounts').values(count).execute();
  const counts = { toolCalls: 1, subagents: 0, otherEvents: 0 };
  const session = { id: '2c3d', owner: 'U0MIA', sessionId: 's1', state: 'waiting' as const, since: at, ...counts };
  await hooks
    .insertInto('hookSessions')
    .values({ ...session, firstAt: at, lastAt: at })
    .execute();
  const readiness = db.withTables<ReadinessTables>();
  await readiness
    .insertInto('readinessSeen')
    .values({ repository: 'git.example/acme/web', reportId: 'r1', score: '{}', seenAt: at })
    .execute();
  await db
    .insertInto('analyticsDays')
    .values({
      resource: 'activity',
      day: '2026-03-01',
      part: 0,
      state: 'settled',
      readAt: at,
      changedAt: at,
      fingerprint: 'f',
      facts: '{}',
    })
    .execute();
  await db
    .insertInto('analyticsColumns')
    .values({ resource: 'tokens', day: '2026-03-01', state: 'settled', fingerprint: 'f', bytes: Buffer.of(0, 255) })
    .execute();
  await db.insertInto('analyticsPeople').values({ id: 1, person: '["u1",null]' }).execute();
  await db.insertInto('analyticsPeopleIds').values({ place: 'here', nextId: 2, prunings: 0, writings: 1 }).execute();
  await db
    .insertInto('analyticsReadings')
    .values({ resource: 'activity', day: '2026-03-01', leasedBy: 'r1', leasedUntil: at, ending: 'stored' })
    .execute();
  await db
    .insertInto('toldCredits')
    .values({ day: '2026-03-01', firstDay: 1_000.5, secondDay: 2_000, settled: null })
    .execute();
  await noteDeedRow(db, at);
  await sql`insert into computer_orders (id, person, channel, name, remote_user, state, created_at, updated_at)
    values ('w1', 'U0MIA', 'C1', 'data-lab', 'agent', 'watching', ${at}, ${at})`.execute(db);
  await db.insertInto('storeHeartbeats').values({ process: 'p1', beatAt: at, padding: '' }).execute();
  await db.insertInto('storeSilences').values({ place: 'here', reason: 'was_away', since: at, until: at }).execute();
  await sql`insert into welcomes (place, at) values ('C1', ${at})`.execute(db);
  await sql`insert into retiring_models (model, name, retires_on, set_by, set_at) values ('atlas', 'Atlas', '2026-04-01', 'U0ADA', ${at})`.execute(
    db,
  );
  await sql`insert into retiring_model_stops (slack_id, at) values ('U0MIA', ${at})`.execute(db);
  await sql`insert into usage_teams (group_id, chosen_by, chosen_at) values ('S0WEB', 'U0ADA', ${at})`.execute(db);
  await sql`insert into budgets (id, kind, follows_limit, credits, period, subject, thresholds, names_people, channel, state, set_up_on, is_armed, version, created_at, changed_at) values ('b1', 'budget', 0, 5000000, '{"unit":"month"}', '{"kind":"organization"}', '{"actual":[80],"forecast":[]}', 0, 'C1', 'active', '2026-03-02', 1, 0, ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into usage_watch_members (id, emails) values ('m1', '["mia@acme.example"]')`.execute(db);
  await sql`insert into usage_watch_days (channel, subject, day, judgement, amount, is_expected, at) values ('C1', '', '2026-03-01', 'usual', 5, 0, ${at})`.execute(
    db,
  );
  await sql`insert into limit_period (place, period, changed_by, at) values ('here', 'month', 'U0ADA', ${at})`.execute(
    db,
  );
  await sql`insert into credit_prices (from_day, per_million, currency, changed_by, at) values ('2026-01-14', '4.20', 'USD', 'U0ADA', ${at})`.execute(
    db,
  );
  await sql`insert into budget_members (budget_id, revision, emails, at) values ('b1', 0, '[]', ${at})`.execute(db);
  await sql`insert into budget_marks (budget_id, period_first, basis, percent, credits, round, state, through, today, members, spent, at) values ('b1', '2026-03-01', 'actual', 80, 5000000, 0, 'told', '2026-03-01', '2026-03-02', 0, 4100000, ${at})`.execute(
    db,
  );
  await sql`insert into export_nights (night) values ('2026-03-02')`.execute(db);
  const erasure = { id: 'e1', pseudonyms: '{}', askedBy: 'U0ADA', askedAt: at, nextAt: at };
  await db
    .insertInto('erasures')
    .values({ ...erasure, state: 'done', identifiers: null, finishedAt: at })
    .execute();
  await sql`insert into erasure_requests (id, email, asked_by, asked_at) values ('e2', 'max.member@acme.example', 'U0ADA', ${at})`.execute(
    db,
  );
  await sql`insert into erasure_proofs (erasure, hash, key_id, at) values ('e1', 'abc', 'def', ${at})`.execute(db);
  await sql`insert into usage_group_versions (version) values (3)`.execute(db);
  await sql`insert into usage_group_sets (id, emails) values ('s1', '["mia.member@acme.example"]')`.execute(db);
  await sql`insert into usage_group_sums (set_id, first_day, last_day, is_by_day, at) values ('s1', '2026-03-01', '2026-03-01', 0, ${at})`.execute(
    db,
  );
  await sql`insert into figure_looks (looker, subject, what, day) values ('U0ADA', 'mia.member@acme.example', 'usage', '2026-03-01')`.execute(
    db,
  );
  await fillLimits(withPolicies(db), at);
  await fillControls(db);
}

async function noteDeedRow(db: Store['db'], at: string): Promise<void> {
  await db
    .insertInto('audit')
    .values({ about: 'limits:k7m2x', position: 0, at, actor: 'U0ADA', action: 'approved', detail: null })
    .execute();
}

async function fillLimits(db: PolicyDatabase, at: string): Promise<void> {
  await db
    .insertInto('limitPolicies')
    .values({ id: 'p1', name: 'Small raises', state: 'draft', version: 1, createdAt: at })
    .execute();
  await db
    .insertInto('limitPolicyVersions')
    .values({ policyId: 'p1', version: 1, rules: '{}', draftedBy: 'U0ADA', draftedAt: at })
    .execute();
  await db
    .insertInto('limitPolicyDecisions')
    .values({ requestId: 'r1', email: 'mia@acme.example', outcome: 'person', credits: 0, at })
    .execute();
  await db
    .insertInto('limitTeamCharges')
    .values({
      requestId: 'r2',
      policyId: 'p1',
      policyVersion: 1,
      email: 'mia@acme.example',
      credits: 5,
      isFirst: 0,
      at,
    })
    .execute();
  await db.insertInto('limitPolicySettings').values({ place: 'here', turn: 1 }).execute();
  await db
    .insertInto('limitRequests')
    .values({
      id: 'k7m2x',
      kind: 'ask',
      state: 'applied',
      requester: 'U0MIA',
      reason: 'A migration',
      people: 1,
      createdAt: at,
      expiresAt: at,
    })
    .execute();
  const person = { requestId: 'k7m2x', email: 'mia.member@acme.example' };
  await db
    .insertInto('limitRequestPeople')
    .values({ ...person, position: 0, toValue: 700.5, approvedValue: 700.5, state: 'set' })
    .execute();
  await db
    .insertInto('limitLedger')
    .values({ ...person, value: 700.5, setAt: at, askedBy: 'U0MIA', approvedBy: 'U0ADA', approvedAt: at })
    .execute();
  await db
    .insertInto('limitQuestions')
    .values({ id: 'q1', requestId: 'k7m2x', question: 'Why?', askedBy: 'U0ADA', askedAt: at })
    .execute();
  await db
    .insertInto('declaredLimits')
    .values({ email: 'mia@acme.example', value: 700.5, declaredBy: 'U0ADA', declaredAt: at })
    .execute();
  await db
    .insertInto('limitDeclarations')
    .values({ email: 'mia@acme.example', value: 700.5, valueBefore: null, declaredBy: 'U0ADA', declaredAt: at })
    .execute();
  await db
    .insertInto('limitApproverRules')
    .values({ place: 'here', hours: 4, secondAbove: 700.5, skipsAway: 1, changedBy: 'U0ADA', at })
    .execute();
  await db.insertInto('limitApprovers').values({ position: 0, slackId: 'U0ADA' }).execute();
  await db.insertInto('limitTurns').values({ requestId: 'k7m2x', turn: 0, stage: 1, approver: 'U0ADA', at }).execute();
  await db.insertInto('limitDrafts').values({ id: 'd1', owner: 'U0MIA', createdAt: at, contents: '{}' }).execute();
}

async function fillControls(db: Store['db']): Promise<void> {
  const at = '2026-03-02T08:00:00.000Z';
  const controls = db.withTables<ControlsTables>();
  await controls
    .insertInto('revisions')
    .values({ revision: 12, settings: '{}', digest: 'd', redaction: 1, changedAt: at, seenAt: at })
    .execute();
  await controls.insertInto('controlsAnnounced').values({ revision: 12, digest: 'd' }).execute();
  await controls
    .insertInto('controlsAcknowledged')
    .values({ noticeKey: 'controls:C1:1:12', through: 12, slackId: 'U0ADA', at })
    .execute();
  await controls
    .insertInto('controlsCursor')
    .values({ id: 'history', epoch: 1, failures: 0, nextPollAt: at })
    .execute();
}

test('the file, and those that SQLite puts beside it, may be read by its owner only, even if others could before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
  const path = join(folder, 'quartermaster.db');
  const modes = () => readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));
  const first = await openStore(`file:${path}`);
  expect(new Set(modes())).toEqual(new Set(['600']));
  expect(modes().length).toBeGreaterThan(1);
  await first.close();
  chmodSync(path, 0o644);
  const second = await openStore(`file:${path}`);
  expect(new Set(modes())).toEqual(new Set(['600']));
  await second.close();
});

describe('a mistake of the operator is reported in one clear sentence:', () => {
  test('a folder that cannot be created', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
    writeFileSync(join(folder, 'file'), '');
    await expect(openStore(`file:${folder}/file/quartermaster.db`)).rejects.toThrow(
      /a part of its path is a file: choose another DATABASE_URL/,
    );
  });

  test('a file that is not a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
    writeFileSync(join(folder, 'letter.txt'), 'Dear Sir or Madam, this is not a database at all. '.repeat(100));
    await expect(openStore(`file:${folder}/letter.txt`)).rejects.toThrow(/is not an SQLite database/);
  });

  test('a folder that may not be written, for a program that is not root', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-test-'));
    chmodSync(folder, 0o555);
    // Root may write everywhere, so the program becomes another user if the suite runs as root.
    const asNobody = process.getuid?.() === 0;
    const said = await runProgram(openingProgram(`file:${folder}/sub/q.db`, { asNobody }));
    expect(said).toMatch(/cannot be made or written: give the program's user write access/);
  });

  test('a Postgres that does not answer', async () => {
    await expect(openStore('postgres://somebody:secret@127.0.0.1:1/quartermaster')).rejects.toThrow(
      /^Nothing answers for quartermaster on 127\.0\.0\.1:1: start Postgres, or correct DATABASE_URL\.$/,
    );
  });

  test.runIf(availableEngines().includes('postgres'))('a Postgres database that does not exist', async () => {
    const database = await createEmptyDatabase('postgres');
    await database.drop();
    await expect(openStore(database.url)).rejects.toThrow(
      /There is no database test_\w+ on 127\.0\.0\.1:\d+: create it/,
    );
  });
});
