import { afterEach, describe, expect, test } from 'vitest';
import { saveApproverRules, type ApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { askNextApprovers, tryToAskNextApprover } from '../../../src/features/limits/approvers/ask-approvers.ts';
import { giveRequest } from '../../../src/features/limits/approvers/give-request.ts';
import { listTurns } from '../../../src/features/limits/approvers/turns.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import type { LimitDeps } from '../../../src/features/limits/core/limits-deps.ts';
import { findRequest, peopleOf } from '../../../src/features/limits/core/requests.ts';
import { expireRequest, moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { listDue } from '../../../src/features/limits/apply/leases.ts';
import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';
import { limitParts, personAt, PLACE } from '../../support/limits/limit-model.ts';

const START = new Date('2026-03-02T09:00:00Z');
const HOUR_MS = 3_600_000;
const RULES: ApproverRules = { approvers: ['U4', 'U5', 'U6'], hours: 2, secondAbove: undefined, skipsAway: false };
const NOTHING_CHANGED = {
  lowered: new Map<string, number>(),
  leftOut: new Set<string>(),
  returns: new Map<string, number>(),
  highestReturn: undefined,
};
const APPROVE: Decision = { kind: 'approve', comment: '', isConfirmed: false, ...NOTHING_CHANGED };
const SECOND: Decision = { ...APPROVE, isSecond: true };
const unsent = {
  platform: { limits: { setUserLimits: () => Promise.reject(new Error('sending is not expected here')) } },
};

let database: TestDatabase;
let store: Store;
let clock: MovableClock;
let db: LimitDatabase;

/** The parts of one replica. */
const replica = (rest: Partial<LimitDeps> = {}): LimitDeps => {
  const base = limitParts(db, clock, unsent);
  return { ...base, people: { ...base.people, admins: () => Promise.resolve(['U4', 'U5', 'U6']) }, ...rest };
};

async function open(engine: 'sqlite' | 'postgres', rules: ApproverRules = RULES): Promise<void> {
  database = await createDatabase(engine);
  clock = createMovableClock(START, { frozen: true });
  store = await openStore(database.url, undefined, () => clock.now());
  db = withLimits(store.db);
  await db.transaction().execute((trx) => saveApproverRules(trx, rules, { by: 'U4', detail: '' }, clock.now()));
}

async function request(parts = replica(), amount = 700): Promise<string> {
  const people = [{ email: 'p1@acme.example', slackId: 'U1', from: undefined, to: amount, returnTo: undefined }];
  const wanted = { kind: 'ask', reason: 'x', until: undefined, people } as const;
  return (await makeRequest(parts, PLACE, personAt(1), wanted)) ?? '';
}

const passHours = (hours: number) => clock.moveTo(new Date(clock.now().getTime() + hours * HOUR_MS));
const approversOf = async (id: string) => (await listTurns(db, id)).map(({ approver }) => approver);

/** The keys of the messages that ask an admin. */
async function messagesOf(id: string): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select('key').where('key', 'like', `%${id}:turn-%`).execute();
  return rows
    .map(({ key }) => key)
    .filter((key) => !key.includes(':edit:'))
    .toSorted();
}

describe.each(availableEngines())('approvers of a list, on %s', (engine) => {
  afterEach(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });

  test('are asked once each, whichever of two replicas is first and wherever one of them crashes', async () => {
    await open(engine);
    const id = await request();
    const steps: CheckpointName[] = ['limits:before_turn', 'limits:in_turn', 'limits:after_turn'];
    for (let hours = 0; hours < 8; hours += 2) {
      for (const step of steps) {
        const crashing = replica({
          checkpoint: (name) => {
            if (name === step) throw new Error('The process ended here');
          },
        });
        await Promise.all([askNextApprovers(crashing), askNextApprovers(replica()), askNextApprovers(replica())]);
      }
      passHours(2);
    }
    expect(await approversOf(id)).toEqual(['U4', 'U5', 'U6', null]);
    expect(await messagesOf(id)).toEqual([
      `limit-card-copies:${id}:turn-3`,
      `limit-card:${id}:turn-0:U4`,
      `limit-card:${id}:turn-1:U5`,
      `limit-card:${id}:turn-2:U6`,
    ]);
    const steps_ = (await listAuditEntries(store.db, `limits:${id}`)).map(({ action }) => action);
    expect(steps_).toEqual(['asked', 'sent to an approver', 'handed on', 'handed on', 'handed on']);
  });

  test('are not asked after a crash right before the turn of a new request, but by the next job', async () => {
    await open(engine);
    const crashing = replica({
      checkpoint: (name) => {
        if (name === 'limits:before_turn') throw new Error('The process ended here');
      },
    });
    const id = await request(crashing);
    expect(await approversOf(id)).toEqual([]);
    await askNextApprovers(replica());
    expect(await approversOf(id)).toEqual(['U4']);
    expect((await findRequest(db, id))?.state).toBe('pending');
  });

  test('do not prevent a decision that is made at the same time', async () => {
    await open(engine);
    const id = await request();
    passHours(2);
    let isFirst = true;
    const deciding = replica({
      checkpoint: async (name) => {
        if (name !== 'limits:before_decision' || !isFirst) return;
        isFirst = false;
        await tryToAskNextApprover(replica(), id);
      },
    });
    const result = await moveRequest(deciding, id, personAt(5), APPROVE);
    expect(result).toMatchObject({ kind: 'moved', request: { state: 'approved', decidedBy: 'U5' } });
    expect(await approversOf(id)).toEqual(['U4', 'U5']);
    passHours(4);
    await askNextApprovers(replica());
    expect(await approversOf(id)).toEqual(['U4', 'U5']);
  });

  test('are not asked about a decided request, even if it is decided right before the turn', async () => {
    await open(engine);
    const id = await request();
    passHours(2);
    const handing = replica({
      checkpoint: async (name) => {
        if (name === 'limits:before_turn') await moveRequest(replica(), id, personAt(5), APPROVE);
      },
    });
    await askNextApprovers(handing);
    expect(await approversOf(id)).toEqual(['U4']);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test('get a request that two admins give away at the same time from one of them', async () => {
    await open(engine);
    const id = await request();
    const results = await Promise.all([
      giveRequest(replica(), id, personAt(4), 'U6'),
      giveRequest(replica(), id, personAt(5), 'U6'),
    ]);
    expect(results.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(await approversOf(id)).toEqual(['U4', 'U6']);
    expect(await messagesOf(id)).toHaveLength(2);
    expect((await findRequest(db, id))?.state).toBe('handed_on');
  });

  test('give way to all admins if the list is removed', async () => {
    await open(engine);
    const id = await request();
    await db
      .transaction()
      .execute((trx) => saveApproverRules(trx, { ...RULES, approvers: [] }, { by: 'U4', detail: '' }, clock.now()));
    await askNextApprovers(replica());
    expect(await approversOf(id)).toEqual(['U4', null]);
    const later = await request();
    await askNextApprovers(replica());
    expect(await approversOf(later)).toEqual([]);
  });
});

describe.each(availableEngines())('a request above the amount for two approvals, on %s', (engine) => {
  afterEach(async () => {
    clock.dispose();
    await store.close();
    await database.drop();
  });
  const TWO: ApproverRules = { ...RULES, approvers: [], secondAbove: 500 };

  test('is approved by two of several admins who decide at once, never by one of them twice', async () => {
    await open(engine, TWO);
    const id = await request();
    const clicks = [4, 5, 4, 6, 5];
    const results = await Promise.all(clicks.map((index) => moveRequest(replica(), id, personAt(index), APPROVE)));
    expect(results.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    const first = await findRequest(db, id);
    expect(first).toMatchObject({ state: 'second_approval', decidedBy: null, nextAttemptAt: null });
    expect(await listDue(db)).toEqual([]);
    for (const result of results)
      expect(result.kind === 'refused' ? result.reason : 'second_needed').toMatch(/^(second_needed|same_approver)$/);

    const second = await Promise.all(clicks.map((index) => moveRequest(replica(), id, personAt(index), SECOND)));
    expect(second.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    const approved = await findRequest(db, id);
    expect(approved?.state).toBe('approved');
    expect(approved?.decidedBy).not.toBe(approved?.firstApprovedBy);
    expect(await listDue(db)).toEqual([id]);
  });

  test('is not approved twice by one person with two accounts that the figures know', async () => {
    await open(engine, TWO);
    const id = await request();
    await moveRequest(replica(), id, personAt(4), APPROVE);
    const knownEmails: LimitDeps['knownEmails'] = {
      complete: (person) => Promise.resolve({ ...person, otherEmails: ['p4@acme.example'] }),
    };
    expect(await moveRequest(replica({ knownEmails }), id, personAt(5), SECOND)).toMatchObject({
      kind: 'refused',
      reason: 'same_approver',
    });
  });

  test('is needed for each removal of an own limit, which has no amount to compare', async () => {
    await open(engine, { ...TWO, secondAbove: 1_000_000_000 });
    const people = [{ email: 'p1@acme.example', slackId: 'U1', shown: 'own 700', to: 0, removes: true }];
    const wanted = { kind: 'ask', reason: 'x', until: undefined, people } as const;
    const id = (await makeRequest(replica(), PLACE, personAt(4), wanted)) ?? '';
    await moveRequest(replica(), id, personAt(5), APPROVE);
    expect(await findRequest(db, id)).toMatchObject({ state: 'second_approval', nextAttemptAt: null });
    await moveRequest(replica(), id, personAt(6), SECOND);
    expect((await findRequest(db, id))?.state).toBe('approved');
    expect(await peopleOf(db, id)).toMatchObject([{ removes: 1, approvedValue: 0 }]);
  });

  test('keeps the first amounts if the second approval names more, and takes lower ones', async () => {
    await open(engine, TWO);
    const lowered = (value: number) => ({ lowered: new Map([['p1@acme.example', value]]) });
    const id = await request();
    await moveRequest(replica(), id, personAt(4), { ...APPROVE, ...lowered(600) });
    expect(await peopleOf(db, id)).toMatchObject([{ state: 'asked', approvedValue: 600 }]);
    await moveRequest(replica(), id, personAt(5), { ...SECOND, ...lowered(650) });
    expect(await peopleOf(db, id)).toMatchObject([{ state: 'queued', approvedValue: 600 }]);
    const other = await request();
    await moveRequest(replica(), other, personAt(4), { ...APPROVE, ...lowered(600) });
    await moveRequest(replica(), other, personAt(5), { ...SECOND, ...lowered(550) });
    expect(await peopleOf(db, other)).toMatchObject([{ state: 'queued', approvedValue: 550 }]);
  });

  test.each(['deny', 'withdraw', 'expire'] as const)(
    'sends nothing after %s, and shows what was requested',
    async (end) => {
      await open(engine, TWO);
      const id = await request();
      await moveRequest(replica(), id, personAt(4), APPROVE);
      const waiting = await findRequest(db, id);
      if (end === 'deny') await moveRequest(replica(), id, personAt(5), { kind: 'deny', comment: 'no' });
      if (end === 'withdraw') await moveRequest(replica(), id, personAt(1), { kind: 'withdraw' });
      if (end === 'expire') {
        passHours(10_001);
        if (waiting) await expireRequest(replica(), waiting);
      }
      const refused = await moveRequest(replica(), id, personAt(6), SECOND);
      expect(refused.kind).toBe('refused');
      expect(await listDue(db)).toEqual([]);
      expect(await peopleOf(db, id)).toMatchObject([{ state: 'asked', approvedValue: null }]);
    },
  );

  test('has all admins but the first asked for the second approval, once', async () => {
    await open(engine, TWO);
    const id = await request();
    await moveRequest(replica(), id, personAt(4), APPROVE);
    await Promise.all([askNextApprovers(replica()), askNextApprovers(replica())]);
    expect(await listTurns(db, id)).toMatchObject([{ turn: 0, stage: 2, approver: null }]);
    expect(await messagesOf(id)).toEqual([`limit-card-copies:${id}:turn-0`]);
  });
});
