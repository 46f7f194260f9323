import { expect, test } from 'vitest';
import { blockedInput } from '../../../src/features/limits/ask/blocked-form.ts';

const at = new Date('2026-03-10T09:00:00Z');
const month = (now: Date) => ({ now, month: 'month' as const });
const declared = (value: number) => ({ kind: 'declared', value, by: 'U0ADA', at, isForEverybody: false }) as const;

test.each([
  [5_000_000, '6300000'],
  [800_000_000, '1000000000'],
  [1_000, '1300'],
  [3, '4'],
])('%i is raised by a quarter, rounded up to two digits: %s', (value, amount) => {
  expect(blockedInput(declared(value), 'month', month(at)).amount).toBe(amount);
});

test('the raise ends with the month, or after seven days if that is near or limits count over weeks', () => {
  expect(blockedInput(declared(1_000), 'month', month(at)).until).toEqual(new Date('2026-04-01T00:00:00Z'));
  const late = new Date('2026-03-31T20:00:00Z');
  expect(blockedInput(declared(1_000), 'month', month(late))).toMatchObject({ ending: '7d' });
  expect(blockedInput(declared(1_000), 'week', month(at))).toMatchObject({ ending: '7d' });
  expect(blockedInput(declared(1_000), undefined, month(at))).toMatchObject({ ending: '7d' });
});

test('without a known limit the amount is empty, and nothing ends', () => {
  for (const limit of [{ kind: 'none' }, { kind: 'unlimited', at, isCurrent: true }, declared(0)] as const)
    expect(blockedInput(limit, 'month', month(at))).toMatchObject({ amount: '', ending: 'none', until: undefined });
});
