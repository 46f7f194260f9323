import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../../src/core/base/log.ts';
import type { DeliveryKind } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { dispatchAll } from '../../../src/core/outbox/dispatch.ts';
import type { StoppedSubscription } from '../../../src/core/outbox/message-duties.ts';
import { declareSpreadMessage, declareSubscriptionMessage } from '../../../src/core/outbox/message-kind.ts';
import { namesNobody } from '../../../src/core/outbox/poster.ts';
import type { ReaderResolution } from '../../../src/core/outbox/reader.ts';
import { plainMessage } from '../../../src/core/slack/blocks/messages.ts';
import { readHistory } from '../../support/outbox/read-history.ts';
import { setScene } from '../../support/outbox/outbox-scene.ts';
import { availableEngines } from '../../support/stores/databases.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const person = (role: 'member' | 'manager', isRoleUnsure = false): ReaderResolution => ({
  kind: 'person',
  slackId: 'U1',
  name: 'Mia',
  email: 'mia@acme.example',
  role,
  isRoleUnsure,
  seesPeople: role === 'manager',
  timeZone: 'UTC',
});

const base = declareSubscriptionMessage({ name: 'test', payload: z.object({}) }, 'manager');

/** A message of a subscription whose reader is as `readers` say, one after the other; the last one stays. */
async function setSubscription(engine: 'sqlite' | 'postgres', readers: readonly ReaderResolution[]) {
  const stops: (string | null)[] = [];
  const left = [...readers];
  let kind: DeliveryKind | undefined;
  const scene = await setScene(engine, {
    kind: {
      prepare: (delivery) => kind?.prepare(delivery) ?? Promise.reject(new Error('Too early')),
      onSettled: async (...settled) => kind?.onSettled?.(...settled),
    },
  });
  const handler = base.handledBy({
    write: () => Promise.resolve({ kind: 'send', message: namesNobody(plainMessage('digest')) }),
    report: () => Promise.resolve([]),
    stop: (_trx, _message, why): Promise<StoppedSubscription> => {
      stops.push(why);
      return Promise.resolve({ owner: null, what: 'The digest' });
    },
  });
  const door = {
    resolveReader: () => {
      const [reader = person('manager'), ...others] = left;
      if (others.length > 0) left.shift();
      return Promise.resolve(reader);
    },
    admit: () => Promise.resolve(undefined),
    withStopButton: <Message>(message: Message) => message,
  };
  const { db } = scene.store;
  kind = dispatchAll({ db, clock: scene.clock, log: createLogger('fatal', []), door }, [handler])['test'];
  return { ...scene, stops };
}

const UNSEEN: ReaderResolution = { kind: 'refused', reason: 'unknown' };
const UNSURE = person('member', true);

describe.each(availableEngines())('the reader of a subscription, on %s', (engine) => {
  test.each([
    ['that Slack does not show', UNSEEN],
    ['whose group Slack refuses', UNSURE],
  ])('%s once gets the message after seconds, and keeps the subscription', async (_what, reader) => {
    const scene = await setSubscription(engine, [reader, person('manager')]);
    await scene.enqueue('a', 'U1');
    expect(await scene.settled('a', 'waiting')).toMatchObject({ isRefusal: true, delayMs: 5_000 });
    scene.advance(5_000);
    await scene.settled('a', 'sent');
    expect(scene.channel.posted.map(({ channel }) => channel)).toEqual(['U1']);
    expect(scene.stops).toEqual([]);
  });

  test('that Slack does not show for hours gets the message afterwards', async () => {
    const scene = await setSubscription(engine, [UNSEEN, UNSEEN, UNSEEN, person('manager')]);
    await scene.enqueue('a', 'U1');
    for (const waitMs of [5_000, 11 * HOUR, 12 * HOUR]) {
      await scene.settled('a', 'waiting');
      scene.advance(waitMs);
    }
    await scene.settled('a', 'sent');
    expect(scene.stops).toEqual([]);
  });

  test('that Slack still does not show a day later ends the subscription', async () => {
    const scene = await setSubscription(engine, [UNSEEN]);
    await scene.enqueue('a', 'U1');
    await scene.settled('a', 'waiting');
    scene.advance(DAY - MINUTE);
    await scene.settled('a', 'waiting');
    expect(scene.stops).toEqual([]);
    scene.advance(HOUR);
    expect(await scene.settled('a', 'skipped')).toMatchObject({ reason: 'Slack does not know its recipient.' });
    expect(scene.stops).toEqual(['Slack does not know its recipient.']);
    expect((await readHistory(scene.store.db, 'a')).map(({ step }) => step)).toEqual(['planned', 'refused', 'skipped']);
  });

  test('whose group Slack refuses for a day loses that message alone', async () => {
    const scene = await setSubscription(engine, [UNSURE]);
    await scene.enqueue('a', 'U1');
    await scene.settled('a', 'waiting');
    scene.advance(DAY);
    expect(await scene.settled('a', 'skipped')).toMatchObject({
      reason: 'Slack refuses the user groups that may give its recipient the role.',
    });
    expect(scene.stops).toEqual([]);
  });

  test.each([
    ['is deactivated', { kind: 'refused', reason: 'deactivated' }],
    ['became a guest', { kind: 'refused', reason: 'guest' }],
    ['lost the role', person('member')],
  ] as const)('that %s ends it at once', async (_what, reader) => {
    const scene = await setSubscription(engine, [reader]);
    await scene.enqueue('a', 'U1');
    await scene.settled('a', 'skipped');
    expect(scene.stops).toHaveLength(1);
  });
});

test('a message to all admins waits for Slack to name one', async () => {
  const admins: string[] = [];
  const kind = declareSpreadMessage({ name: 'test', payload: z.object({}) }).handledBy({
    spread: () => Promise.resolve(admins.length === 0 ? undefined : `Sent to ${admins.length} admins.`),
    report: () => Promise.resolve([]),
  });
  let opened: DeliveryKind | undefined;
  const scene = await setScene('sqlite', {
    kind: { prepare: (delivery) => opened?.prepare(delivery) ?? Promise.reject(new Error('Too early')) },
  });
  const door = {
    resolveReader: () => Promise.reject(new Error('It has no reader')),
    admit: () => Promise.resolve(undefined),
    withStopButton: <Message>(message: Message) => message,
  };
  const { db } = scene.store;
  opened = dispatchAll({ db, clock: scene.clock, log: createLogger('fatal', []), door }, [kind])['test'];
  await scene.enqueue('a', 'admins');
  expect(await scene.settled('a', 'waiting')).toMatchObject({ reason: 'Slack names no admin who could get it.' });
  admins.push('U1');
  scene.advance(5_000);
  expect(await scene.settled('a', 'skipped')).toMatchObject({ reason: 'Sent to 1 admins.' });
});
