import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { createKnownEmails } from '../../../src/features/limits/core/known-emails.ts';
import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import type { Decision } from '../../../src/features/limits/decide/decision.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createDatabase, usualEngine, type TestDatabase } from '../../support/stores/databases.ts';
import { limitParts, personAt, PLACE } from '../../support/limits/limit-model.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const ADMIN = 5;
const admin = personAt(ADMIN);
const OTHER_EMAIL = 'another.name@acme.example';
const clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
const unsent = {
  platform: { limits: { setUserLimits: () => Promise.reject(new Error('sending is not expected here')) } },
};

/** The platform gives one person two e-mails, each on some days. */
const knownEmails = createKnownEmails({
  clock,
  log: createLogger('silent', []),
  days: {
    peopleCredits: (_period, take) => {
      const day = (date: string, email: string | undefined) =>
        take(creditsColumns(date, [{ user_id: 'user_0', user_email: email ?? null, billable_tokens: 1 }]));
      day('2026-02-27', admin.email);
      day('2026-02-28', OTHER_EMAIL.toUpperCase());
      return Promise.resolve({ kind: 'read', rows: [], readAt: clock.now() });
    },
  },
});

let database: TestDatabase;
let store: Store;
let db: LimitDatabase;
beforeEach(async () => {
  database = await createDatabase(usualEngine());
  store = await openStore(database.url, undefined, () => clock.now());
  db = withLimits(store.db);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

async function ask(emails: readonly string[], by: number): Promise<string> {
  const people = emails.map((email) => ({ email, slackId: undefined, from: undefined, to: 700, returnTo: undefined }));
  const wanted = { kind: 'ask', reason: 'x', until: undefined, people } as const;
  return (await makeRequest(limitParts(db, clock, unsent), PLACE, personAt(by), wanted)) ?? '';
}

const approve: Decision = {
  kind: 'approve',
  comment: '',
  isConfirmed: false,
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
  highestReturn: undefined,
};

test('an admin does not decide about themselves under another e-mail that the platform has for them', async () => {
  const id = await ask([OTHER_EMAIL], 1);
  const parts = limitParts(db, clock, { ...unsent, knownEmails });
  for (const decision of [approve, { kind: 'deny', comment: 'no' } as const])
    expect(await moveRequest(parts, id, admin, decision)).toMatchObject({ kind: 'refused', reason: 'own_request' });
  expect(await moveRequest(parts, id, personAt(6), approve)).toMatchObject({ kind: 'moved' });
});

test('an admin is left out among others, and a person with one e-mail stays one person', async () => {
  const id = await ask([OTHER_EMAIL, 'p9@acme.example'], 1);
  expect(await moveRequest(limitParts(db, clock, { ...unsent, knownEmails }), id, admin, approve)).toMatchObject({
    kind: 'moved',
  });
  const rows = await db.selectFrom('limitRequestPeople').select(['email', 'state']).orderBy('email').execute();
  expect(rows.map(({ email, state }) => [email, state])).toEqual([
    [OTHER_EMAIL, 'left_out'],
    ['p9@acme.example', 'queued'],
  ]);
  expect(await knownEmails.complete(personAt(7))).toEqual(personAt(7));
});

test('an admin whose e-mails could not be read does not decide alone, until they can be read', async () => {
  let isDown = true;
  const fault = new PlatformError({
    code: 'timeout',
    method: 'GET',
    path: '/users',
    detail: '',
    outcomeUnknown: false,
  });
  const readings = createKnownEmails({
    clock,
    log: createLogger('silent', []),
    days: {
      peopleCredits: () =>
        Promise.resolve(isDown ? { kind: 'unreadable', fault } : { kind: 'read', rows: [], readAt: clock.now() }),
    },
  });
  expect(await readings.complete(admin)).toMatchObject({ areEmailsUnsure: true });
  isDown = false;
  expect(await readings.complete(admin)).toEqual(admin);
});
