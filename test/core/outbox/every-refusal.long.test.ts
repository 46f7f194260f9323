import { afterAll, beforeAll, expect, test } from 'vitest';
import { noCheckpoint } from '../../../src/core/base/checkpoint.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { OUTBOX_TIMES, settlementOf } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';
import type { PostOutcome } from '../../../src/core/outbox/poster.ts';
import { createOutbox } from '../../../src/core/outbox/attempts/worker.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { untilQuiet } from '../../support/limits/limits.ts';
import { startKindsScene, type KindsScene } from '../../support/outbox/kinds-scene.ts';
import { RULES } from '../../support/outbox/reader-rules.ts';
import { outcomesOf, RefusingChannel, whatFollows } from './refused-kinds.ts';
import { INVENTED_ERRORS, POST_MESSAGE_ERRORS } from '../../support/slack/post-message-errors.ts';
import { readDatabase } from '../../support/stores/databases.ts';

const { final: FINAL, ...others } = POST_MESSAGE_ERRORS;
const NOT_FINAL = [...Object.values(others).flat(), ...INVENTED_ERRORS];
const OUTAGE_MS = 45_000;
const LATE_MS = 10 * 60_000;

/** They cause messages for admins and are never posted themselves. */
const isSpread = (kind: string) => kind.endsWith('-admin-notice') || kind === 'limit-card-copies';
const KINDS = [...RULES.keys()].filter((kind) => !isSpread(kind));
/** These are about other messages: a failure of one of them is logged and counted, and causes no further one. */
const isNotice = (kind: string) => kind.endsWith('-notice') || kind === 'reader-lost-farewell';
/** `computer-notice`, `controls-notice` and `readiness-notice` are messages of their own. */
const BRINGS_NOTICE = KINDS.filter((kind) => !isNotice(kind) || /^(computer|controls|readiness)-notice$/.test(kind));

let scene: KindsScene;
let outcomes: ReadonlyMap<string, PostOutcome>;
beforeAll(async () => {
  scene = await startKindsScene('manager');
  outcomes = await outcomesOf(scene, [...FINAL, ...NOT_FINAL]);
});
afterAll(async () => {
  scene.resume();
  await scene.close();
});

/** The newest message of a kind for each destination, on time and late. */
function messagesOf(kind: string): Delivery[] {
  const newest = new Map((scene.rows.get(kind) ?? []).map((row) => [row.channel, row]));
  const nowMs = scene.clock.now().getTime();
  return [...newest.values()].flatMap((row) =>
    [0, LATE_MS].map((lateMs) => {
      const at = new Date(nowMs - lateMs).toISOString();
      return { ...row, dueAt: at, createdAt: at };
    }),
  );
}

const outcomeOf = (code: string): PostOutcome => {
  const outcome = outcomes.get(code);
  if (!outcome) throw new Error(`${code} was not tried`);
  return outcome;
};

test.for(KINDS)('45 seconds of any code that is not final end no message of kind %s', (kind) => {
  const messages = messagesOf(kind);
  expect(messages.length).toBeGreaterThan(0);
  const now = scene.clock.now();
  const after = new Date(now.getTime() + OUTAGE_MS);
  const lost = NOT_FINAL.flatMap((code) => {
    const states = messages.flatMap((message) => [
      settlementOf(message, outcomeOf(code), now).state,
      settlementOf(message, outcomeOf(code), after, OUTBOX_TIMES, now).state,
    ]);
    return states.every((state) => state === 'waiting' || state === 'unknown') ? [] : [code];
  });
  expect(lost).toEqual([]);
});

test.for(BRINGS_NOTICE)('a message of kind %s that fails by any final code causes another one', async (kind) => {
  const db = readDatabase(scene.databaseUrl);
  try {
    const silent: string[] = [];
    for (const code of FINAL) {
      for (const message of messagesOf(kind)) {
        const settlement = settlementOf(message, outcomeOf(code), scene.clock.now());
        expect(settlement.state).toBe('failed');
        if ((await whatFollows(scene, db, message, settlement)).length === 0) silent.push(`${message.key}: ${code}`);
      }
    }
    expect(silent).toEqual([]);
  } finally {
    await db.destroy();
  }
});

/** Sends a copy of a message of every kind, whose first post is refused. */
async function sendCopies(kinds: readonly string[], code: string) {
  const store = await openStore(scene.databaseUrl, undefined, () => scene.clock.now());
  const copies = kinds.flatMap((kind) => messagesOf(kind).map((message, index) => copyOf(message, `${code}:${index}`)));
  const refusals = new Map(copies.map(({ key }) => [key, outcomeOf(code)]));
  const channel = new RefusingChannel(() => scene.clock.now(), refusals);
  const errors: unknown[] = [];
  const outbox = createOutbox({
    db: store.db,
    engine: store.engine,
    commits: store.commits,
    clock: scene.clock,
    poster: channel,
    kinds: scene.app.messageKinds,
    log: createLogger('error', [], (line) => void errors.push(JSON.parse(line).delivery)),
    replica: `refused-${code}`,
    checkpoint: noCheckpoint,
  });
  try {
    for (const copy of copies) await store.db.insertInto('deliveries').values(copy).execute();
    outbox.start();
    await untilQuiet(scene);
    return { channel, errors };
  } finally {
    await outbox.stop();
    await store.close();
  }
}

const copyOf = (message: Delivery, prefix: string): Delivery => ({
  ...message,
  key: `${prefix}:${message.key}`,
  state: 'waiting',
  nextAttemptAt: scene.clock.now().toISOString(),
  sentAt: null,
  attempts: 0,
  firstPostingAt: null,
  lastPostingAt: null,
  reason: null,
});

/** The rules above cover all codes; these cover each way through the outbox. */
const REFUSED_FIRST = ['team_added_to_org', 'internal_error', 'token_revoked', 'ratelimited', 'workspace_is_resting'];

test.each(REFUSED_FIRST)('a message of any kind that is first refused with %s is posted once', async (code) => {
  const { channel } = await sendCopies(KINDS, code);
  const posts = Map.groupBy(channel.posted, ({ key }) => key);
  expect([...channel.refused].filter((key) => posts.get(key)?.length !== 1)).toEqual([]);
  expect(channel.refused.size).toBeGreaterThan(60);
});

test('a notice that fails for good is logged', async () => {
  const notices = KINDS.filter((kind) => !BRINGS_NOTICE.includes(kind));
  const { channel, errors } = await sendCopies(notices, 'is_archived');
  expect(channel.refused.size).toBe(2 * notices.flatMap((kind) => [...placesOf(kind)]).length);
  expect([...channel.refused].filter((key) => !errors.includes(key))).toEqual([]);
});

const placesOf = (kind: string) => new Set(scene.rows.get(kind)?.map(({ channel }) => channel));
