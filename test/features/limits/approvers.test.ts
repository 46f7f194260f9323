import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OBSTACLES, type LimitTurn, type Obstacle } from '../../../src/features/limits/core/approver-tables.ts';
import { isAway } from '../../../src/features/limits/approvers/obstacles.ts';
import { rulesOf } from '../../../src/features/limits/approvers/approvers-handlers.ts';
import { planTurns } from '../../../src/features/limits/approvers/plan-turns.ts';
import { needsSecondApproval } from '../../../src/features/limits/approvers/second-approval.ts';
import { statusOf } from '../../../src/core/slack/people/user.ts';

const START_MS = Date.parse('2026-03-02T09:00:00Z');
const HOUR_MS = 3_600_000;
const IDS = ['U1', 'U2', 'U3', 'U4'];

interface Tick {
  hours: number;
  isWorkingTime: boolean;
  obstacles: ReadonlyMap<string, Obstacle>;
}

const obstacles = fc
  .array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...OBSTACLES)), { maxLength: 3 })
  .map((entries) => new Map(entries));
const ticks: fc.Arbitrary<Tick[]> = fc.array(fc.record({ hours: fc.nat(6), isWorkingTime: fc.boolean(), obstacles }), {
  minLength: 1,
  maxLength: 30,
});
const rules = fc.record({ approvers: fc.uniqueArray(fc.constantFrom(...IDS)), hours: fc.integer({ min: 1, max: 5 }) });

/** Plays the job at several times; returns the turns that it began, with the tick of each. */
function play(list: { approvers: string[]; hours: number }, stage: 1 | 2, all: readonly Tick[]) {
  const turns: (LimitTurn & { tick: Tick })[] = [];
  let nowMs = START_MS;
  for (const tick of all) {
    nowMs += tick.hours * HOUR_MS;
    const now = new Date(nowMs);
    const planned = planTurns({ rules: list, stage, turns, ...tick }, now);
    turns.push(
      ...planned.map((turn, index) => ({
        ...turn,
        requestId: 'r',
        turn: turns.length + index,
        stage,
        givenBy: null,
        at: now.toISOString(),
        tick,
      })),
    );
  }
  return turns;
}

describe('the turns of a request, at any times and with any obstacles,', () => {
  test('ask each approver at most once, in their order, and all admins at the end', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(1 as const, 2 as const), ticks, (list, stage, all) => {
        const turns = play(list, stage, all);
        const named = turns.flatMap(({ approver }) => approver ?? []);
        expect(named).toEqual(list.approvers.slice(0, named.length));
        const everybody = turns.filter(({ approver }) => approver === null);
        expect(everybody.length).toBeLessThanOrEqual(1);
        expect(turns.slice(0, -1).every(({ approver }) => approver !== null)).toBe(true);
        const isWithoutTurns = list.approvers.length === 0 && stage === 1;
        expect(turns.some(({ skipped }) => skipped === null)).toBe(!isWithoutTurns);
      }),
    );
  });

  test('skip only approvers with an obstacle, and leave each their hours unless they can no longer decide', () => {
    fc.assert(
      fc.property(rules, ticks, (list, all) => {
        const turns = play(list, 1, all);
        for (const { approver, skipped, tick } of turns)
          expect(skipped).toBe(approver === null ? null : (tick.obstacles.get(approver) ?? null));
        const asked = turns.filter(({ skipped }) => skipped === null);
        for (const [index, turn] of asked.entries()) {
          const before = asked[index - 1];
          if (!before?.approver) continue;
          const hours = (Date.parse(turn.at) - Date.parse(before.at)) / HOUR_MS;
          const obstacle = turn.tick.obstacles.get(before.approver);
          const hasLost = obstacle !== undefined && obstacle !== 'away';
          expect(hasLost || (hours >= list.hours && turn.tick.isWorkingTime)).toBe(true);
        }
      }),
    );
  });
});

test.each([
  [{ emoji: ':palm_tree:', text: '' }, true],
  [{ emoji: '', text: 'Out of office until Monday' }, true],
  [{ emoji: ':house:', text: 'On parental leave' }, true],
  [{ emoji: '', text: 'OOO' }, true],
  [{ emoji: ':spiral_calendar_pad:', text: 'In a meeting' }, false],
  [{ emoji: ':bus:', text: 'Commuting' }, false],
  [{ emoji: ':house_with_garden:', text: 'Working remotely' }, false],
  [undefined, false],
])('the status %o means away: %s', (status, away) => expect(isAway(status)).toBe(away));

test('a status counts until its end', () => {
  const profile = { status_emoji: ':palm_tree:', status_text: '', status_expiration: START_MS / 1_000 };
  expect(statusOf({ profile }, new Date(START_MS - 1))).toEqual({ emoji: ':palm_tree:', text: '' });
  expect(statusOf({ profile }, new Date(START_MS))).toBeUndefined();
  expect(statusOf({ profile: { ...profile, status_expiration: 0 } }, new Date(START_MS))).toBeDefined();
  expect(statusOf({ profile: { status_emoji: '', status_text: '' } }, new Date(START_MS))).toBeUndefined();
});

test('two approvals are needed above the amount, not at it', () => {
  expect([500, 501].map((total) => needsSecondApproval(total, { secondAbove: 500 }))).toEqual([false, true]);
  expect(needsSecondApproval(1, { secondAbove: 0 })).toBe(true);
  expect(needsSecondApproval(1e12, { secondAbove: undefined })).toBe(false);
  expect(needsSecondApproval(1e12, undefined)).toBe(false);
});

describe('the form of approvers', () => {
  const typed = { approvers: ['U1'], hours: '4', secondAbove: '', skipsAway: false };
  test.each([
    [{}, []],
    [{ hours: '' }, ['hours']],
    [{ hours: '1.5' }, ['hours']],
    [{ hours: '169' }, ['hours']],
    [{ approvers: [], hours: '' }, []],
    [{ secondAbove: '5m' }, []],
    [{ secondAbove: 'x' }, ['secondAbove']],
    [{ approvers: Array.from({ length: 11 }, (_, index) => `U${index}`) }, ['approvers']],
  ])('with %o has errors at %o', (changes, fields) => {
    expect(Object.keys(rulesOf({ ...typed, ...changes }).errors)).toEqual(fields);
  });

  test('names each approver once', () => {
    expect(rulesOf({ ...typed, approvers: ['U1', 'U2', 'U1'] }).rules.approvers).toEqual(['U1', 'U2']);
  });
});
