import { setTimeout as delay } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPolicies } from '../../src/features/limit-policies/store/policy-tables.ts';
import { startDemo, type Demo } from '../../src/sandbox/demo/demo.ts';
import { openStore } from '../../src/core/store/database.ts';
import { askValues, openReview, reviewValues } from '../support/limits/limits.ts';
import { submitForm, openByCommand, textOfView } from '../support/slack/modals.ts';
import type { Result } from './reports.ts';
import { percentile } from './statistics.ts';

const EMAIL = 'mia.member@acme.example';
const FIRST = 900_000_000;
const TIMEOUT_MS = 30_000;
const RULES = {
  kind: 'automatic',
  subject: { kind: 'everybody' },
  percent: 50,
  cap: FIRST + 1_000_000,
  times: 10_000,
  days: 31,
  grantsADay: 10_000,
  creditsAPeriod: 1_000_000_000_000,
  dryRunDays: 0,
};

/**
 * From the submission of a request to the limit on the platform: by an active policy, and by an admin who opens the
 * review and approves at once. Both in one run, one request of each kind after the other.
 */
export async function reportPolicies(rounds: number): Promise<Result> {
  const without = await measure(rounds, 'contract');
  const reading = await measure(rounds, 'today');
  const ratio = Math.round((reading.policyMs.p95 / without.policyMs.p95) * 100) / 100;
  const words = ({ p50, p95 }: { p50: number; p95: number }) => `p50 ${p50} ms, p95 ${p95} ms`;
  const linesOf = (figures: typeof without, where: string) => [
    `from request to set limit, ${rounds} rounds of each kind, on a platform that ${where}`,
    `  by an active policy: ${words(figures.policyMs)}`,
    `  by an admin who approves at once: ${words(figures.personMs)}`,
  ];
  return {
    figures: { policies: { ...without, reading, ratio } },
    lines: [
      ...linesOf(without, 'shows no limits'),
      ...linesOf(reading, 'shows limits'),
      `  by a policy, p95 with reading beside without: ${ratio} times`,
    ],
    faults:
      ratio > MOST_TIMES ? [`A policy takes ${ratio} times as long if limits are read, and not ${MOST_TIMES}`] : [],
  };
}

const MOST_TIMES = 1.5;

async function measure(rounds: number, edition: 'contract' | 'today') {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const databaseUrl = `file:${join(folder, 'bench.db')}`;
  const demo = await startDemo(
    {
      people: 25,
      seed: 1,
      edition,
      limits: { [EMAIL]: FIRST },
      port: 0,
      folder,
      databaseUrl,
      settings: {
        LIMITS_CHANNEL: '#agent-usage',
        LIMIT_PERIOD: 'month',
        ADMINS: 'ada.admin@acme.example,nora.member@acme.example',
      },
    },
    (reason) => {
      throw new Error(reason);
    },
  );
  try {
    await furnish(databaseUrl, demo.clock.now());
    const byPolicy: number[] = [];
    const byPerson: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      byPolicy.push(await timePolicy(demo, FIRST + 2 * round + 1));
      byPerson.push(await timePerson(demo, databaseUrl, FIRST + 2 * round + 2));
    }
    return { policyMs: summaryOf(byPolicy), personMs: summaryOf(byPerson), rounds };
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const summaryOf = (times: readonly number[]) => ({
  p50: Math.round(percentile(times, 0.5)),
  p95: Math.round(percentile(times, 0.95)),
});

/** A limit of Mia, an active policy, and the declaration. */
async function furnish(databaseUrl: string, now: Date): Promise<void> {
  const store = await openStore(databaseUrl);
  const db = withPolicies(store.db);
  const at = new Date(now.getTime() - 1_000).toISOString();
  const people = { requestId: 'first', email: EMAIL };
  await db
    .insertInto('limitRequests')
    .values({
      id: 'first',
      kind: 'ask',
      state: 'applied',
      requester: 'U0MIA',
      reason: 'x',
      people: 1,
      createdAt: at,
      expiresAt: at,
    })
    .execute();
  await db
    .insertInto('limitLedger')
    .values({ ...people, value: FIRST, setAt: at, askedBy: 'U0MIA', approvedBy: 'U0ADA', approvedAt: at })
    .execute();
  await db
    .insertInto('limitRequestPeople')
    .values({
      ...people,
      position: 0,
      slackId: 'U0MIA',
      toValue: FIRST,
      approvedValue: FIRST,
      setValue: FIRST,
      state: 'set',
    })
    .execute();
  await setState(db, 'active', at);
  await db
    .insertInto('limitPolicySettings')
    .values({ place: 'here', turn: 1, onlyHereBy: 'U0ADA', onlyHereAt: at })
    .execute();
  await db
    .insertInto('limitPolicyVersions')
    .values({
      policyId: 'bench',
      version: 1,
      rules: JSON.stringify(RULES),
      draftedBy: 'U0ADA',
      draftedAt: at,
      backTestedAt: at,
    })
    .execute();
  await store.close();
}

type Limits = ReturnType<typeof withPolicies>;

async function setState(db: Limits, state: 'active' | 'paused', at: string): Promise<void> {
  await db
    .insertInto('limitPolicies')
    .values({ id: 'bench', name: 'Small raises', state, version: 1, createdAt: at, dryRunUntil: at, confirmedAt: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state }))
    .execute();
}

async function timePolicy(demo: Demo, amount: number): Promise<number> {
  await openByCommand(demo.slack, 'mia', '/limits', 'request', 'general');
  const startMs = performance.now();
  const shown = submitRequest(demo, amount);
  await untilSet(demo, amount);
  const tookMs = performance.now() - startMs;
  await shown;
  await demo.slack.control.close({ as: 'mia', all: true });
  return tookMs;
}

/** The policy is paused for this request, so that the same admin work is left. */
async function timePerson(demo: Demo, databaseUrl: string, amount: number): Promise<number> {
  const store = await openStore(databaseUrl);
  const db = withPolicies(store.db);
  await setState(db, 'paused', demo.clock.now().toISOString());
  await openByCommand(demo.slack, 'mia', '/limits', 'request', 'general');
  const since = demo.slack.mark();
  const startMs = performance.now();
  const id = /Your request is `(\w+)`/.exec(await submitRequest(demo, amount))?.[1] ?? '';
  await demo.slack.next('message', ({ message }) => message.text.includes('requests a credit limit'), { since });
  await openReview({ ...demo, databaseUrl }, 'ada', id);
  const approving = submitForm(demo.slack, 'ada', reviewValues());
  await untilSet(demo, amount);
  const tookMs = performance.now() - startMs;
  await approving;
  for (const as of ['mia', 'ada']) await demo.slack.control.close({ as, all: true });
  await setState(db, 'active', demo.clock.now().toISOString());
  await store.close();
  return tookMs;
}

async function submitRequest({ slack }: Demo, amount: number): Promise<string> {
  const view = textOfView(await submitForm(slack, 'mia', askValues({ amount: String(amount) })));
  return view.includes('Check before you send') ? textOfView(await submitForm(slack, 'mia')) : view;
}

async function untilSet({ platform }: Demo, amount: number): Promise<void> {
  const startMs = performance.now();
  while (platform.limits.get(EMAIL) !== amount) {
    if (performance.now() - startMs > TIMEOUT_MS) throw new Error(`The limit was not set to ${amount}`);
    await delay(1);
  }
}
