import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saveApproverRules } from '../../../src/features/limits/approvers/approver-rules.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import { expireRequest, moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { findRequest } from '../../../src/features/limits/core/requests.ts';
import { storeDeclaration, type Declaration } from '../../../src/features/limits/declare/declared-limits.ts';
import { pausePolicy } from '../../../src/features/limit-policies/manage/change-policy.ts';
import { auditFile } from '../../../src/features/limits/views/audit-csv.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { audit } from '../../../src/core/store/audit.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { PLACE } from '../../support/limits/limit-model.ts';
import {
  activeOf,
  ADMINS,
  askFor,
  declare,
  emailOf,
  memberId,
  policyPerson,
  policyReplica,
  RAISES,
  runJobs,
  worldOf,
} from '../../support/limits/policy-scene.ts';
import { availableEngines, createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const START = new Date('2026-03-10T09:00:00Z');
const MIA = memberId(1);
const [ADA, NORA] = ADMINS;
const NAMES: Readonly<Record<string, string>> = { [MIA]: '=cmd|’/C calc’!A0', [ADA]: 'Ada', [NORA]: 'Nora' };
const AS_REQUESTED = {
  kind: 'approve' as const,
  comment: '',
  isConfirmed: false,
  lowered: new Map<string, number>(),
  leftOut: new Set<string>(),
  returns: new Map<string, number>(),
  highestReturn: undefined,
};

/** One line of the file by the titles of its columns. No cell of these tests has a comma or a line break. */
function linesOf(content: string): Record<string, string>[] {
  const [header = '', ...lines] = content.trim().split('\n');
  const titles = header.split(',');
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replaceAll(/^"|"$/g, ''),
    );
    return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? '']));
  });
}

/** The rows of a file by the rules of RFC 4180. */
function parseCsv(content: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of content.trim().matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows;
}

describe.each(availableEngines())('the file of the audit on %s', (engine) => {
  const clock = createMovableClock(START, { frozen: true });
  let database: TestDatabase;
  let store: Store;
  let db: LimitDatabase;
  let answer: 'fine' | 'lost' | 'refused';
  let refused: ReadonlySet<string>;
  let own: ReturnType<typeof policyReplica>;
  beforeEach(async () => {
    clock.moveTo(START);
    answer = 'fine';
    refused = new Set();
    database = await createDatabase(engine);
    store = await openStore(database.url, undefined, () => clock.now());
    db = withLimits(store.db);
    own = policyReplica(db, clock, worldOf(), (limits) => {
      if (answer === 'refused')
        return Promise.resolve({ updated: [], errors: limits.map(({ email }) => ({ email, error: '=not allowed' })) });
      if (answer === 'lost')
        return Promise.reject(
          new PlatformError({ code: 'timeout', method: 'PUT', path: '/limits', detail: '', outcomeUnknown: true }),
        );
      const errors = limits.filter(({ email }) => refused.has(email)).map(({ email }) => ({ email, error: 'no' }));
      return Promise.resolve({ updated: limits.filter(({ email }) => !refused.has(email)), errors });
    });
    Object.assign(own.deps.people, {
      describe: (id: string) => Promise.resolve({ name: NAMES[id] ?? id, email: emailOf(id) }),
      names: () => Promise.resolve(new Map(Object.entries(NAMES).map(([id, name]) => [emailOf(id), name]))),
    });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const file = async () => linesOf((await auditFile(own.deps, undefined)).content);
  const lineOf = async (id: string, what: string) =>
    (await file()).find((line) => line['Request'] === id && line['What'] === what);
  const pass = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));
  const approve = async (id: string, change: Partial<typeof AS_REQUESTED> = {}) => {
    await moveRequest(own.deps, id, policyPerson(ADA), { ...AS_REQUESTED, ...change });
    await own.applier.apply({ id, people: 1 });
  };
  const storeDeclared = (declaration: Declaration, by: string) =>
    db.transaction().execute(async (trx) => {
      const now = clock.now();
      await storeDeclaration(trx, declaration, by, now);
      await audit(trx, { about: 'limits:declared', actor: by, action: 'declared limits', detail: null }, now);
    });

  test('has each limit that was set, with the person, every amount, the admin who decided and the time', async () => {
    const first = await askFor(own, { for: MIA, amount: 1_000 });
    await approve(first);
    pass(60_000);
    const id = await askFor(own, { for: MIA, amount: 8_000 });
    await approve(id, { lowered: new Map([[emailOf(MIA), 6_000]]) });
    expect(await lineOf(id, 'asked')).toMatchObject({
      'E-mail': emailOf(MIA),
      'Limit before': '1000',
      Requested: '8000',
      Set: '',
    });
    expect(await lineOf(id, 'approved')).toMatchObject({
      Requested: '8000',
      Approved: '6000',
      By: `Ada (${emailOf(ADA)})`,
      'By (Slack id)': ADA,
    });
    expect(await lineOf(id, 'applied')).toMatchObject({
      'Time (UTC)': clock.now().toISOString(),
      'E-mail': emailOf(MIA),
      'Limit before': '1000',
      Requested: '8000',
      Approved: '6000',
      Set: '6000',
      Outcome: 'set',
      'Decided by': `Ada (${emailOf(ADA)})`,
    });
    const ledger = await db.selectFrom('limitLedger').select(['requestId', 'value']).execute();
    const set = (await file())
      .filter((line) => line['Set'] !== '')
      .map((line) => [line['Request'], Number(line['Set'])]);
    expect(set).toEqual(ledger.map(({ requestId, value }) => [requestId, value]));
  });

  test('has the amounts of what was denied, withdrawn and expired', async () => {
    const denied = await askFor(own, { for: MIA, amount: 3_000 });
    await moveRequest(own.deps, denied, policyPerson(NORA), { kind: 'deny', comment: 'No' });
    const withdrawn = await askFor(own, { for: MIA, amount: 4_000 });
    await moveRequest(own.deps, withdrawn, policyPerson(MIA), { kind: 'withdraw' });
    const expired = await askFor(own, { for: MIA, amount: 5_000 });
    const request = await findRequest(db, expired);
    if (!request) throw new Error('There is a request');
    clock.moveTo(new Date(request.expiresAt));
    await expireRequest(own.deps, request);
    const expected = [
      [denied, 'denied', '3000'],
      [withdrawn, 'withdrawn', '4000'],
      [expired, 'expired', '5000'],
    ] as const;
    for (const [id, what, requested] of expected)
      expect(await lineOf(id, what)).toMatchObject({ Requested: requested, Approved: '', Set: '', Outcome: what });
    expect(await lineOf(denied, 'denied')).toMatchObject({ By: `Nora (${emailOf(NORA)})` });
  });

  test('names the policy of a grant, and has the end of the raise and its undo', async () => {
    await approve(await askFor(own, { for: MIA, amount: 1_000 }));
    await declare(own.deps);
    const policy = await activeOf(own.deps, RAISES);
    const id = await askFor(own, { for: MIA, amount: 1_200 });
    expect(await lineOf(id, 'granted by a policy')).toMatchObject({
      Requested: '1200',
      'Until (UTC)': '2026-04-01T00:00:00.000Z',
      'Limit afterwards': '1000',
      Policy: `Small raises (${policy.id}), version 1`,
      By: 'Quartermaster',
      'Decided by': '',
    });
    clock.moveTo(new Date('2026-04-01T00:01:00Z'));
    await runJobs(own);
    expect(await lineOf(`${id}-back`, 'applied')).toMatchObject({
      'Limit before': '1200',
      Set: '1000',
      Outcome: 'set',
    });
    pass(60_000);
    const undone = await askFor(own, { for: MIA, amount: 9_000 });
    await approve(undone);
    await moveRequest(own.deps, undone, policyPerson(NORA), { kind: 'undo' });
    await own.applier.apply({ id: `${undone}-undo`, people: 1 });
    expect(await lineOf(`${undone}-undo`, 'applied')).toMatchObject({
      'Limit before': '9000',
      Set: '1000',
      'Decided by': `Nora (${emailOf(NORA)})`,
    });
    await pausePolicy(own.deps, policy.id, 1, ADA);
    expect(await lineOf(`policy-${policy.id}`, 'paused')).toMatchObject({ By: `Ada (${emailOf(ADA)})` });
  });

  test('has each person of an import, and outcomes that are refused or unknown', async () => {
    const people = [1, 2, 3].map((index) => ({ email: emailOf(memberId(index)), to: 1_000 * index }));
    const imported = await makeRequest(own.deps, PLACE, policyPerson(NORA), { kind: 'import', reason: '=1+1', people });
    await approve(imported ?? '');
    const rows = (await file()).filter((line) => line['Request'] === imported && line['What'] === 'applied');
    expect(rows.map((line) => [line['E-mail'], line['Requested'], line['Set']])).toEqual(
      people.map(({ email, to }) => [email, String(to), String(to)]),
    );
    answer = 'refused';
    const refused = await askFor(own, { for: MIA, amount: 3_000 });
    await approve(refused);
    expect(await lineOf(refused, 'partly applied')).toMatchObject({ Approved: '3000', Set: '' });
    expect((await lineOf(refused, 'partly applied'))?.['Outcome']).toContain('refused');
    answer = 'lost';
    const unknown = await askFor(own, { for: MIA, amount: 4_000 });
    await approve(unknown);
    expect(await lineOf(unknown, 'outcome unknown')).toMatchObject({ Approved: '4000', Set: '' });
    expect((await lineOf(unknown, 'outcome unknown'))?.['Outcome']).toContain('unknown');
  });

  test('has each declaration, with the value before', async () => {
    const email = emailOf(MIA);
    await storeDeclared({ forEverybody: 5_000, people: [{ email, amount: 7_000 }], removed: [] }, ADA);
    pass(60_000);
    await storeDeclared({ forEverybody: 5_000, people: [], removed: [email] }, NORA);
    const rows = (await file()).filter((line) => line['Request'] === 'declared');
    expect(
      rows.map((line) => [line['What'], line['E-mail'], line['Limit before'], line['Requested'], line['By']]),
    ).toEqual([
      ['declared', 'everybody', '', '5000', `Ada (${emailOf(ADA)})`],
      ['declared', email, '', '7000', `Ada (${emailOf(ADA)})`],
      ['declaration removed', email, '7000', '', `Nora (${emailOf(NORA)})`],
    ]);
    const id = await askFor(own, { for: memberId(2), amount: 8_000 });
    expect(await lineOf(id, 'asked')).toMatchObject({ 'Limit before': '5000', 'Limit before was declared': 'yes' });
  });

  test('has a limit that was set also if its steps were deleted', async () => {
    const id = await askFor(own, { for: MIA, amount: 1_000 });
    await approve(id);
    await db.deleteFrom('audit').execute();
    expect(await file()).toMatchObject([
      { Request: id, What: 'set', 'E-mail': emailOf(MIA), Set: '1000', Requested: '1000' },
    ]);
  });

  test('has the limits of a day in the file of that day only, also if they are set at midnight or by a retry', async () => {
    const ids = [MIA, memberId(2)];
    const people = ids.map((id) => ({ email: emailOf(id), to: 1_000 }));
    clock.moveTo(new Date('2026-03-31T23:58:00Z'));
    refused = new Set([emailOf(memberId(2))]);
    const imported = await makeRequest(own.deps, PLACE, policyPerson(NORA), { kind: 'import', reason: 'x', people });
    await approve(imported ?? '');
    const late = await askFor(own, { for: memberId(3), amount: 2_000 });
    clock.moveTo(new Date('2026-04-01T00:01:00Z'));
    refused = new Set();
    await approve(late);
    await moveRequest(own.deps, imported ?? '', policyPerson(ADA), { kind: 'retry' });
    await own.applier.apply({ id: imported ?? '', people: 2 });
    const setOn = async (day: string) => {
      const lines = linesOf((await auditFile(own.deps, { first: day, last: day })).content);
      expect(lines.filter((line) => !line['Time (UTC)']?.startsWith(day))).toEqual([]);
      return lines.filter((line) => line['Set'] !== '').map((line) => line['E-mail']);
    };
    expect(await setOn('2026-03-31')).toEqual([emailOf(MIA)]);
    expect(new Set(await setOn('2026-04-01'))).toEqual(new Set([emailOf(memberId(2)), emailOf(memberId(3))]));
  });

  test('has a limit that was set also if only the steps of earlier requests were deleted', async () => {
    const id = await askFor(own, { for: MIA, amount: 1_000 });
    await approve(id);
    pass(60_000);
    const before = clock.now().toISOString();
    await askFor(own, { for: memberId(2), amount: 2_000 });
    await db.deleteFrom('audit').where('at', '<', before).execute();
    expect(await lineOf(id, 'set')).toMatchObject({ 'E-mail': emailOf(MIA), Set: '1000' });
  });

  test.each(['a,b;c', 'a"b', 'a\nb\r\nc', '\t=1+1', '＝1+1', 'x'.repeat(200)])(
    'keeps its columns with the name %j',
    async (name) => {
      Object.assign(own.deps.people, {
        describe: (id: string) => Promise.resolve({ name, email: emailOf(id) }),
        names: () => Promise.resolve(new Map([[emailOf(MIA), name]])),
      });
      await approve(await askFor(own, { for: MIA, amount: 3_000 }));
      const { content } = await auditFile(own.deps, undefined);
      const rows = parseCsv(content);
      expect(new Set(rows.map((cells) => cells.length))).toEqual(new Set([19]));
      expect(rows.flat().filter((cell) => /^\s*[=+@＝＋＠-]/.test(cell))).toEqual([]);
      expect(rows.flat().some((cell) => cell.includes(name.trim().slice(0, 1)))).toBe(true);
    },
  );

  test('does not ascribe to the first of two admins what the second one lowered', async () => {
    const rules = { approvers: [], hours: 4, secondAbove: 2_000, skipsAway: false };
    await db.transaction().execute((trx) => saveApproverRules(trx, rules, { by: ADA, detail: '' }, clock.now()));
    const id = await askFor(own, { for: MIA, amount: 9_000 });
    const lowered = (value: number) => new Map([[emailOf(MIA), value]]);
    await approve(id, { lowered: lowered(8_000) });
    expect(await lineOf(id, 'first approval')).toMatchObject({ Requested: '9000', Approved: '8000' });
    const second = { ...AS_REQUESTED, isSecond: true, lowered: lowered(6_000) };
    await moveRequest(own.deps, id, policyPerson(NORA), second);
    await own.applier.apply({ id, people: 1 });
    expect(await lineOf(id, 'approved')).toMatchObject({ Approved: '6000', By: `Nora (${emailOf(NORA)})` });
    const first = await lineOf(id, 'first approval');
    expect(first).toMatchObject({ Requested: '9000', Approved: '', By: `Ada (${emailOf(ADA)})` });
    expect(first?.['Detail']).toContain('lowered to 8,000');
  });

  test('has no cell that a spreadsheet runs', async () => {
    answer = 'refused';
    await approve(await askFor(own, { for: MIA, amount: 3_000 }));
    const { content } = await auditFile(own.deps, undefined);
    expect(content).toContain("'=cmd");
    expect(content).toContain('refused: =not allowed');
    expect(content).not.toMatch(/(^|[,;"]\s*)[=+@-]/m);
  });
});
