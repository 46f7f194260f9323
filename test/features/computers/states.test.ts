import { describe, expect, test } from 'vitest';
import { cardMessage, type CardFacts } from '../../../src/features/computers/card/computer-card.ts';
import type { ComputerOrder } from '../../../src/features/computers/core/computer-tables.ts';
import { decideAbsent, findCreated } from '../../../src/features/computers/core/lookup.ts';
import { decideEdit, outcomeOf, pollDelayMs, speedOf } from '../../../src/features/computers/core/pace.ts';
import { rawFingerprint, medianMs } from '../../../src/features/computers/core/states.ts';
import type { Computer } from '../../../src/core/platform/endpoints/computers.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const AT = '2026-03-02T08:00:00.000Z';
const after = (seconds: number) => new Date(Date.parse(AT) + seconds * 1_000);

function orderWith(changes: Partial<ComputerOrder> = {}): ComputerOrder {
  return {
    id: 'w1',
    person: 'U0MIA',
    channel: 'C0USAGE',
    body: null,
    name: 'data-lab',
    remoteUser: 'agent',
    state: 'following',
    computerId: 'c1',
    knownIds: null,
    leasedUntil: null,
    sentAt: AT,
    absentSince: null,
    followedSince: AT,
    retriedAt: null,
    retriedFrom: null,
    round: 0,
    editNumber: 1,
    shown: null,
    editedAt: null,
    readyAfterMs: null,
    createdAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

function computerWith(changes: Partial<Computer> = {}): Computer {
  const createdAt = Date.parse(AT);
  const base = { id: 'c1', name: 'data-lab', providerType: 'hosted', createdAt, provisioningSteps: [] };
  return { ...base, remoteUser: 'agent', status: 'provisioning', ...changes };
}

describe('the outcome of a request whose answer was lost', () => {
  test('is searched for by name and remote user, among new computers', () => {
    const order = orderWith({ knownIds: '["old"]' });
    const all = [
      computerWith({ id: 'old' }),
      computerWith({ id: 'long-ago', createdAt: after(-3_600).getTime() }),
      computerWith({ id: 'of-another', remoteUser: 'root' }),
      computerWith({ id: 'of-another-name', name: 'lab' }),
      computerWith({ id: 'second', createdAt: after(2).getTime() }),
      // The clocks of the two may differ.
      computerWith({ id: 'first', createdAt: after(-60).getTime() }),
    ];
    expect(findCreated(all, order).map(({ id }) => id)).toEqual(['first', 'second']);
  });

  test('is found by name and time if the platform gives all its machines one account', () => {
    const account = { remoteUser: 'factory-user', providerType: 'e2b' };
    const others = [computerWith({ ...account, id: 'other', name: 'other' })];
    const all = [...others, computerWith({ ...account, id: 'ours' })];
    expect(findCreated(all, orderWith()).map(({ id }) => id)).toEqual(['ours']);
    const own = computerWith({ id: 'of-another', remoteUser: 'root', providerType: 'byom' });
    expect(findCreated([...others, own], orderWith())).toEqual([]);
  });

  test('is found although the platform reports no remote user, or the time in seconds', () => {
    const all = [computerWith({ remoteUser: undefined, createdAt: Date.parse(AT) / 1_000 })];
    expect(findCreated(all, orderWith())).toHaveLength(1);
  });

  test('is “not created” after two readings of the list, a minute apart', () => {
    expect(decideAbsent(orderWith(), after(0))).toBe('first_time');
    expect(decideAbsent(orderWith({ absentSince: AT }), after(30))).toBe('too_early');
    expect(decideAbsent(orderWith({ absentSince: AT }), after(60))).toBe('not_created');
  });
});

describe('an order', () => {
  test('is polled after 5 seconds, then less and less often, and in the end every minute', () => {
    expect([1, 2, 3, 4, 5, 50].map(pollDelayMs)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('edits its card only for a change, and at most every three seconds', () => {
    const edited = orderWith({ shown: 'a', editedAt: AT });
    expect(decideEdit(edited, 'a', 1, after(60)).kind).toBe('wait');
    expect(decideEdit(edited, 'b', 1, after(1))).toMatchObject({ kind: 'wait', until: after(3) });
    expect(decideEdit(edited, 'b', 1, after(3)).kind).toBe('edit');
  });

  test('ends when the computer is ready, failed or gone, or after two hours; an unknown status does not end it', () => {
    expect(outcomeOf(orderWith(), computerWith({ status: 'active' }), after(1))).toBe('ready');
    expect(outcomeOf(orderWith(), computerWith({ status: 'error' }), after(1))).toBe('failed');
    expect(outcomeOf(orderWith(), undefined, after(1))).toBe('gone');
    expect(outcomeOf(orderWith(), computerWith({ status: 'hibernating' }), after(7_199))).toBeUndefined();
    expect(outcomeOf(orderWith(), computerWith({ status: undefined }), after(7_200))).toBe('ended');
  });

  test('ignores for two minutes a status from before a retry', () => {
    const failed = computerWith({ status: 'error' });
    const retried = orderWith({ retriedAt: AT, retriedFrom: rawFingerprint(failed), round: 1 });
    expect(outcomeOf(retried, failed, after(60))).toBeUndefined();
    expect(outcomeOf(retried, failed, after(121))).toBe('failed');
    expect(outcomeOf(retried, computerWith({ status: 'active' }), after(1))).toBe('ready');
  });

  test('is slow past twice the median of at least three', () => {
    expect(medianMs([60_000, 90_000])).toBeUndefined();
    expect(medianMs([60_000, 200_000, 100_000])).toBe(100_000);
    expect(medianMs([60_000, 200_000, 100_000, 140_000])).toBe(120_000);
    expect(speedOf(orderWith(), 100_000, after(200))).toBe('usual');
    expect(speedOf(orderWith(), 100_000, after(201))).toBe('slow');
    expect(speedOf(orderWith({ round: 1 }), 100_000, after(900))).toBe('unknown');
  });
});

describe('a card', () => {
  const cardOf = (computer: Computer, facts: Partial<CardFacts> = {}) =>
    cardMessage({
      order: orderWith({ name: computer.name }),
      computer,
      outcome: undefined,
      tookMs: undefined,
      usualMs: 100_000,
      speed: 'slow',
      isAwaitingRetry: false,
      ...facts,
    });

  test('shows unknown statuses and steps unchanged', () => {
    const steps = [
      { id: 's1', name: 'Fetch moon dust', status: 'levitating', startedAt: Date.parse(AT) },
      { id: 's2', status: 'queued' },
    ];
    const text = mrkdwnOf(cardOf(computerWith({ status: 'hibernating', provisioningSteps: steps })).text);
    expect(text).toContain('Fetch moon dust …');
    expect(text).toContain('⏳ Fetch moon dust, levitating; ▫️ s2, queued');
    expect(text).toContain('0 of 2 steps done');
    expect(text).toContain('Slower than usual: usually ready after 1 min 40 s.');
    expect(mrkdwnOf(cardOf(computerWith({ status: 'hibernating' })).text)).toContain('Its status is “hibernating”');
  });

  test('is harmless and complete, whatever the platform sends', () => {
    const evil = '<!channel> *x* `y` <https://evil.example|safe> \u202E'.repeat(200);
    const step = { id: evil, name: evil, status: evil, error: evil, startedAt: 1, completedAt: -5 };
    const computer = computerWith({
      name: evil,
      hostname: evil,
      relayClientUrl: evil,
      provisioningSteps: Array.from({ length: 200 }, () => step),
    });
    for (const outcome of [undefined, 'ready', 'failed', 'ended', 'gone'] as const) {
      const { text, blocks } = cardOf(computer, { outcome });
      expect(checkBlocks(blocks, 'message')).toEqual([]);
      // A header is plain text, in which nothing is a mention.
      const marked = blocks.slice(1);
      expect(mrkdwnOf(text) + JSON.stringify(marked)).not.toMatch(/<!channel|<https|\u202E/);
    }
  });
});
