import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { denialOf, LIMIT_ACTIONS, type Actor } from '../../src/limits/rights.ts';
import { REQUEST_STATES, stepOf, type RequestEvent, type RequestFacts } from '../../src/limits/states.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-03-05T09:00:00Z');
const admin: Actor = { slackId: 'U0ADA', role: 'admin' };
const mia: Actor = { slackId: 'U0MIA', role: 'member' };
const pending: RequestFacts = { state: 'pending', requester: 'U0MIA', expiresAt: LATER, until: undefined };

const actor = fc.record({
  slackId: fc.constantFrom('U0MIA', 'U0ADA', 'U0MORGAN'),
  role: fc.constantFrom('member' as const, 'manager' as const, 'admin' as const),
});
const event: fc.Arbitrary<RequestEvent> = fc.oneof(
  fc.record({ kind: fc.constant('approve' as const), by: actor, leavesSomebody: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('deny' as const, 'withdraw' as const, 'retry' as const), by: actor }),
  fc.record({ kind: fc.constantFrom('expire' as const, 'begin' as const) }),
  fc.record({
    kind: fc.constant('finish' as const),
    ending: fc.constantFrom('applied' as const, 'partly_applied' as const, 'outcome_unknown' as const),
  }),
);
const instant = fc.date({ min: new Date('2026-03-01'), max: new Date('2026-03-10'), noInvalidDate: true });

const OVER = new Set<string>(['denied', 'withdrawn', 'expired', 'applied']);

/** Plays events one after another, in time; returns the state after each. */
function play(events: readonly RequestEvent[], times: readonly Date[]) {
  let facts = pending;
  return events.map((one, index) => {
    const step = stepOf(facts, one, times[index] ?? NOW);
    const before = facts.state;
    if (step.kind === 'moved') facts = { ...facts, state: step.state };
    return { event: one, before, step };
  });
}

describe('a request, whatever happens to it in whatever order,', () => {
  const history = fc.tuple(fc.array(event, { maxLength: 30 }), fc.array(instant, { minLength: 30, maxLength: 30 }));

  test('is decided at most once, by an admin who did not ask', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        const decisions = play(events, times).filter(
          ({ event: { kind }, step }) => (kind === 'approve' || kind === 'deny') && step.kind === 'moved',
        );
        expect(decisions.length).toBeLessThanOrEqual(1);
        for (const { event: one } of decisions)
          expect('by' in one && one.by).toMatchObject({ role: 'admin', slackId: expect.not.stringMatching('U0MIA') });
      }),
    );
  });

  test('is never sent to the platform unless it was approved', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        const steps = play(events, times).filter(({ step }) => step.kind === 'moved');
        const begun = steps.findIndex(({ event: { kind } }) => kind === 'begin');
        if (begun < 0) return;
        expect(steps.slice(0, begun).some(({ event: { kind } }) => kind === 'approve')).toBe(true);
      }),
    );
  });

  test('stays denied, withdrawn, expired or applied for ever', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        const over = play(events, times).filter(({ before }) => OVER.has(before));
        expect(over.every(({ step }) => step.kind === 'refused')).toBe(true);
      }),
    );
  });
});

describe('what stands against a decision', () => {
  const approve = { kind: 'approve', by: admin, leavesSomebody: true } as const;

  test.each([
    ['by its requester, admin or not', { ...approve, by: { ...admin, slackId: 'U0MIA' } }, pending, 'own_request'],
    ['by a manager', { ...approve, by: { slackId: 'U0MORGAN', role: 'manager' } }, pending, 'admins_only'],
    ['when it was decided', approve, { ...pending, state: 'denied' }, 'not_pending'],
    ['when its time is over', approve, { ...pending, expiresAt: NOW }, 'expired'],
    ['when it expired', approve, { ...pending, state: 'expired' }, 'expired'],
    ['when its end has passed', approve, { ...pending, until: NOW }, 'end_passed'],
    ['when everybody was left out', { ...approve, leavesSomebody: false }, pending, 'nobody_left'],
    ['nobody withdraws that of another', { kind: 'withdraw', by: { ...mia, slackId: 'U0MAX' } }, pending, 'not_theirs'],
    ['a repeat of what is applied', { kind: 'retry', by: admin }, { ...pending, state: 'applied' }, 'nothing_to_retry'],
    [
      'a repeat after its end',
      { kind: 'retry', by: admin },
      { ...pending, state: 'outcome_unknown', until: NOW },
      'end_passed',
    ],
    ['an end that came too early', { kind: 'expire' }, pending, 'not_expired_yet'],
  ] as const)('%s', (_name, event, facts, reason) => {
    expect(stepOf(facts, event, NOW)).toEqual({ kind: 'refused', reason });
  });

  test('what is over needs no rights to be told that it is over, but rights come first', () => {
    for (const state of REQUEST_STATES) {
      const step = stepOf({ ...pending, state }, { kind: 'deny', by: mia }, NOW);
      expect(step).toEqual({ kind: 'refused', reason: 'admins_only' });
    }
  });
});

test('who may do what', () => {
  const table = LIMIT_ACTIONS.map((action) => [
    action,
    ...(['member', 'manager', 'admin'] as const).flatMap((role) =>
      [{ requester: role }, { requester: 'somebody' }].map(
        (about) => denialOf(action, { slackId: role, role }, about) ?? 'may',
      ),
    ),
  ]);
  // Columns: member with their own request and another’s, manager likewise, admin likewise.
  expect(table).toEqual([
    ['ask_for_self', 'may', 'may', 'may', 'may', 'may', 'may'],
    ['ask_for_others', 'managers_only', 'managers_only', 'may', 'may', 'may', 'may'],
    ['import', 'managers_only', 'managers_only', 'may', 'may', 'may', 'may'],
    ['list_waiting', 'admins_only', 'admins_only', 'admins_only', 'admins_only', 'may', 'may'],
    ['see', 'may', 'not_theirs', 'may', 'may', 'may', 'may'],
    ['decide', 'admins_only', 'admins_only', 'admins_only', 'admins_only', 'own_request', 'may'],
    ['withdraw', 'may', 'not_theirs', 'may', 'not_theirs', 'may', 'may'],
    ['retry', 'admins_only', 'admins_only', 'admins_only', 'admins_only', 'may', 'may'],
    ['see_ledger', 'managers_only', 'managers_only', 'may', 'may', 'may', 'may'],
    ['take_audit', 'admins_only', 'admins_only', 'admins_only', 'admins_only', 'may', 'may'],
  ]);
});
