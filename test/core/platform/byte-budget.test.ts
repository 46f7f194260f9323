import { expect, test } from 'vitest';
import { BudgetExceededError, createByteBudget } from '../../../src/core/base/work-queue.ts';
import { MAX_ATTEMPTS } from '../../../src/core/platform/transport/retry.ts';
import { startScript } from './script-server.ts';
import { createTestClient, EMPTY_ENVELOPE, failureOf, PERIOD } from './test-client.ts';

test('an answer that needs more than the remaining memory waits for another one to finish', async () => {
  const budget = createByteBudget(10);
  const [first, second] = [budget.open(), budget.open()];
  await first.take(8);
  let hasMore = false;
  const more = second.take(5).then(() => (hasMore = true));
  await Promise.resolve();
  expect(hasMore).toBe(false);
  first.close();
  await more;
  expect(hasMore).toBe(true);
});

test('if every answer waits for the others, the last of them gives up and the rest continue', async () => {
  const budget = createByteBudget(10);
  const [first, second] = [budget.open(), budget.open()];
  await first.take(5);
  await second.take(5);
  const more = first.take(4);
  await expect(second.take(4)).rejects.toThrow(BudgetExceededError);
  second.close();
  await more;
});

test('the oldest continues although the budget is spent, and the next one continues after it', async () => {
  const budget = createByteBudget(10, { oldestContinues: true });
  const [first, second] = [budget.open(), budget.open()];
  await second.take(5);
  await first.take(50);
  let hasMore = false;
  const more = second.take(4).then(() => (hasMore = true));
  const third = budget.open();
  let hasBegun = false;
  const begun = third.take(1).then(() => (hasBegun = true));
  await Promise.resolve();
  expect([hasMore, hasBegun]).toEqual([false, false]);
  first.close();
  await Promise.all([more, begun]);
  expect([hasMore, hasBegun]).toEqual([true, true]);
});

test('one answer that is larger than the whole budget is a fault of its own, and is never held whole', async () => {
  const { address } = await startScript(Array.from({ length: MAX_ATTEMPTS }, () => ({ json: EMPTY_ENVELOPE })));
  const client = createTestClient(address, { answerBudgetBytes: 5 });
  expect(await failureOf(client.analytics.activity(PERIOD))).toMatchObject({ code: 'overloaded' });
});
