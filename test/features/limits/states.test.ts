import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  denialOf,
  INVOLVEMENTS,
  involvementOf,
  type Actor,
  type LimitAction,
} from '../../../src/features/limits/core/access.ts';
import {
  isDecidedAlone,
  REQUEST_STATES,
  transitionOf,
  type RequestEvent,
  type RequestFacts,
} from '../../../src/features/limits/core/states.ts';
import { gapBefore } from '../../../src/features/limits/apply/unsure.ts';

const NOW = new Date('2026-03-02T09:00:00Z');
const LATER = new Date('2026-03-05T09:00:00Z');
const admin: Actor = { slackId: 'U0ADA', email: 'ada@acme.example', role: 'admin' };
const mia: Actor = { slackId: 'U0MIA', email: 'mia@acme.example', role: 'member' };
const pending: RequestFacts = {
  state: 'pending',
  requester: 'U0MIA',
  expiresAt: LATER,
  until: undefined,
  finishedAt: undefined,
  isUndone: false,
};

const actor = fc.record({
  slackId: fc.constantFrom('U0MIA', 'U0ADA', 'U0MORGAN'),
  email: fc.constant(undefined),
  role: fc.constantFrom('member' as const, 'manager' as const, 'admin' as const),
  decidesAlone: fc.boolean(),
});
const involvement = fc.constantFrom(...INVOLVEMENTS);
const event: fc.Arbitrary<RequestEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('approve' as const),
    by: actor,
    involvement,
    approvesAnyone: fc.boolean(),
    isConfirmed: fc.boolean(),
    approvals: fc.record({
      isSecondNeeded: fc.boolean(),
      isSecond: fc.boolean(),
      isByFirstApprover: fc.boolean(),
    }),
  }),
  fc.record({ kind: fc.constant('hand_on' as const) }),
  fc.record({
    kind: fc.constant('give' as const),
    by: actor,
    receiver: fc.constantFrom('can_decide' as const, 'cannot_decide' as const, 'asked' as const),
  }),
  fc.record({ kind: fc.constant('deny' as const), by: actor, involvement }),
  fc.record({
    kind: fc.constantFrom('retry' as const, 'send' as const, 'leave' as const),
    by: actor,
    involvement,
  }),
  fc.record({ kind: fc.constant('withdraw' as const), by: actor }),
  fc.record({
    kind: fc.constant('undo' as const),
    by: actor,
    isForThem: fc.boolean(),
    earlierLimits: fc.constantFrom('known' as const, 'unknown' as const, 'changed' as const, 'none' as const),
  }),
  fc.record({ kind: fc.constantFrom('expire' as const, 'begin' as const, 'withhold' as const) }),
  fc.record({
    kind: fc.constant('finish' as const),
    ending: fc.constantFrom('applied' as const, 'partly_applied' as const, 'outcome_unknown' as const),
  }),
);
const instant = fc.date({ min: new Date('2026-03-01'), max: new Date('2026-03-10'), noInvalidDate: true });

const OVER = new Set<string>(['denied', 'withdrawn', 'expired', 'applied', 'left']);

/** Plays events one after another, in time order; returns the state after each. */
function play(events: readonly RequestEvent[], times: readonly Date[]) {
  let facts = pending;
  return events.map((one, index) => {
    const step = transitionOf(facts, one, times[index] ?? NOW);
    const before = facts.state;
    const now = times[index] ?? NOW;
    if (step.kind === 'moved')
      facts = {
        ...facts,
        state: step.state,
        ...(one.kind === 'finish' ? { finishedAt: now } : {}),
        ...(one.kind === 'undo' ? { isUndone: true } : {}),
      };
    return { event: one, before, step };
  });
}

describe('a request, after any events in any order,', () => {
  const history = fc.tuple(fc.array(event, { maxLength: 30 }), fc.array(instant, { minLength: 30, maxLength: 30 }));

  test('is decided at most once, or after a first approval, by admins that it does not concern', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        const decisions = play(events, times).filter(
          ({ event: { kind }, step }) => (kind === 'approve' || kind === 'deny') && step.kind === 'moved',
        );
        const isFirst = ({ step }: (typeof decisions)[number]) =>
          step.kind === 'moved' && step.state === 'second_approval';
        expect(decisions.filter((one) => isFirst(one)).length).toBeLessThanOrEqual(1);
        expect(decisions.filter((one) => !isFirst(one)).length).toBeLessThanOrEqual(1);
        for (const { event: one } of decisions) {
          expect(one).toMatchObject({
            by: { role: 'admin' },
            involvement: expect.stringMatching(/^(none|among_others|requester_for_others)$/),
          });
          if (!isDecidedAlone(one)) continue;
          expect(one).toMatchObject({
            by: { decidesAlone: true },
            ...(one.kind === 'approve' ? { isConfirmed: true } : {}),
          });
        }
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

  test('is sent only after an approval that suffices, or after a second one by another admin', () => {
    const first: RequestEvent = {
      kind: 'approve',
      by: admin,
      involvement: 'none',
      approvesAnyone: true,
      isConfirmed: false,
      approvals: { isSecondNeeded: true, isSecond: false, isByFirstApprover: false },
    };
    let seconds = 0;
    fc.assert(
      fc.property(fc.boolean(), fc.array(event, { maxLength: 15 }), (startsApproved, rest) => {
        const moves = play(startsApproved ? [first, ...rest] : rest, []).filter(({ step }) => step.kind === 'moved');
        for (const { event: one, before, step } of moves) {
          if (before !== 'second_approval') continue;
          expect(one.kind).toMatch(/^(approve|deny|withdraw|hand_on|give)$/);
          if (one.kind !== 'approve') continue;
          seconds += 1;
          expect(one.approvals).toMatchObject({ isSecond: true, isByFirstApprover: false });
          expect(step).toEqual({ kind: 'moved', state: 'approved' });
        }
        const begun = moves.findIndex(({ event: { kind } }) => kind === 'begin');
        const approval = moves.slice(0, Math.max(begun, 0)).findLast(({ event: { kind } }) => kind === 'approve');
        const sufficed =
          approval?.event.kind !== 'approve' ||
          approval.before === 'second_approval' ||
          approval.event.approvals?.isSecondNeeded === false;
        expect(sufficed).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    // Otherwise the property would hold trivially.
    expect(seconds).toBeGreaterThan(0);
  });

  test('is handed on only while it waits for a decision, and to an admin who can decide it', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        for (const { event: one, before, step } of play(events, times)) {
          if ((one.kind !== 'hand_on' && one.kind !== 'give') || step.kind === 'refused') continue;
          expect(['pending', 'handed_on', 'second_approval']).toContain(before);
          expect(step.state).toBe(before === 'second_approval' ? before : 'handed_on');
          const isByAdmin = one.kind === 'hand_on' || (one.by.role === 'admin' && one.receiver === 'can_decide');
          expect(isByAdmin).toBe(true);
        }
      }),
    );
  });

  test('is undone at most once, by an admin that it does not concern, within ten minutes after it was set', () => {
    const begun: RequestEvent[] = [
      { kind: 'approve', by: admin, involvement: 'none', approvesAnyone: true, isConfirmed: false },
      { kind: 'begin' },
    ];
    const minutes = fc.array(fc.nat(15), { minLength: 12, maxLength: 12 });
    let undos = 0;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), minutes, (rest, waits) => {
        const times = waits.map((_, index) => {
          const minutesUntil = waits.slice(0, index).reduce((sum, wait) => sum + wait, 0);
          return new Date(NOW.getTime() + minutesUntil * 60_000);
        });
        const steps = play([...begun, ...rest], times).map((one, index) => ({ ...one, at: times[index] ?? NOW }));
        const moved = steps.filter(({ step }) => step.kind === 'moved');
        const undone = moved.filter(({ event: { kind } }) => kind === 'undo');
        undos += undone.length;
        expect(undone.length).toBeLessThanOrEqual(1);
        for (const one of undone) {
          expect(one.event).toMatchObject({ by: { role: 'admin' }, isForThem: false, earlierLimits: 'known' });
          expect(['applied', 'partly_applied']).toContain(one.before);
          const finish = moved.slice(0, moved.indexOf(one)).findLast(({ event: { kind } }) => kind === 'finish');
          expect(one.at.getTime() - (finish?.at.getTime() ?? Number.NaN)).toBeLessThan(10 * 60_000);
          expect(moved.at(-1)).toBe(one);
        }
      }),
      { numRuns: 5_000 },
    );
    // Otherwise the property would hold trivially.
    expect(undos).toBeGreaterThan(0);
  });

  test('stays denied, withdrawn, expired, applied or left for ever', () => {
    fc.assert(
      fc.property(history, ([events, times]) => {
        const over = play(events, times).filter(({ before }) => OVER.has(before));
        expect(over.every(({ before, step }) => step.kind === 'refused' || step.state === before)).toBe(true);
      }),
    );
  });
});

const UNDO = { kind: 'undo', by: admin, isForThem: false, earlierLimits: 'known' } as const;
const APPLIED = { ...pending, state: 'applied', finishedAt: new Date(NOW.getTime() - 599_999) } as const;

test('an undo keeps the state of its request', () => {
  for (const state of ['applied', 'partly_applied'] as const)
    expect(transitionOf({ ...APPLIED, state }, UNDO, NOW)).toEqual({ kind: 'moved', state });
});

describe('a decision', () => {
  const approve = {
    kind: 'approve',
    by: admin,
    involvement: 'none',
    approvesAnyone: true,
    isConfirmed: false,
  } as const;

  test.each([
    ['an approval by the requester, even an admin', { ...approve, involvement: 'requester' }, pending, 'own_request'],
    [
      'an approval by the requester for others, even if confirmed',
      { ...approve, involvement: 'requester_for_others', isConfirmed: true },
      pending,
      'own_request',
    ],
    [
      'an approval without confirmation by the only admin',
      { ...approve, by: { ...admin, decidesAlone: true }, involvement: 'requester_for_others' },
      pending,
      'not_confirmed',
    ],
    ['an approval by the only person concerned', { ...approve, involvement: 'only_them' }, pending, 'own_request'],
    [
      'a denial by the only person concerned',
      { kind: 'deny', by: admin, involvement: 'only_them' },
      pending,
      'own_request',
    ],
    ['an approval by a manager', { ...approve, by: { ...admin, role: 'manager' } }, pending, 'admins_only'],
    ['an approval after a decision', approve, { ...pending, state: 'denied' }, 'not_pending'],
    ['an approval after the deadline', approve, { ...pending, expiresAt: NOW }, 'expired'],
    ['an approval of an expired request', approve, { ...pending, state: 'expired' }, 'expired'],
    ['an approval after the end of the raise', approve, { ...pending, until: NOW }, 'end_passed'],
    ['an approval that leaves all people out', { ...approve, approvesAnyone: false }, pending, 'nobody_left'],
    ['a withdrawal by another user', { kind: 'withdraw', by: { ...mia, slackId: 'U0MAX' } }, pending, 'not_theirs'],
    [
      'a repeat of an applied request',
      { kind: 'retry', by: admin, involvement: 'none' },
      { ...pending, state: 'applied' },
      'nothing_to_retry',
    ],
    [
      'a repeat after the end of the raise',
      { kind: 'retry', by: admin, involvement: 'none' },
      { ...pending, state: 'outcome_unknown', until: NOW },
      'end_passed',
    ],
    [
      'a choice about a known outcome',
      { kind: 'leave', by: admin, involvement: 'none' },
      { ...pending, state: 'applied' },
      'not_unsure',
    ],
    [
      'a choice by a manager',
      { kind: 'send', by: { ...admin, role: 'manager' }, involvement: 'none' },
      { ...pending, state: 'unsure' },
      'admins_only',
    ],
    [
      'a late sending after the end of the raise',
      { kind: 'send', by: admin, involvement: 'none' },
      { ...pending, state: 'unsure', until: NOW },
      'end_passed',
    ],
    ...(['retry', 'send', 'leave'] as const).map(
      (kind) =>
        [
          `a ${kind} by the only person concerned`,
          { kind, by: admin, involvement: 'only_them' },
          { ...pending, state: kind === 'retry' ? 'outcome_unknown' : 'unsure' },
          'own_request',
        ] as const,
    ),
    ...(
      [
        ['before it is set', pending, {}, 'nothing_to_undo'],
        ['of nothing that was set', APPLIED, { earlierLimits: 'none' }, 'nothing_to_undo'],
        ['by a manager', APPLIED, { by: { ...admin, role: 'manager' } }, 'admins_only'],
        ['by the person whose limit it is', APPLIED, { isForThem: true }, 'own_limit'],
        ['for the second time', { ...APPLIED, isUndone: true }, {}, 'undone'],
        ['after ten minutes', { ...APPLIED, finishedAt: new Date(NOW.getTime() - 600_000) }, {}, 'undo_too_late'],
        ['to an unknown limit', APPLIED, { earlierLimits: 'unknown' }, 'earlier_unknown'],
        ['after another change', APPLIED, { earlierLimits: 'changed' }, 'changed_since'],
      ] as const
    ).map(([what, facts, change, reason]) => [`an undo ${what}`, { ...UNDO, ...change }, facts, reason] as const),
    [
      'a repeat of an undone request',
      { kind: 'retry', by: admin, involvement: 'none' },
      { ...pending, state: 'partly_applied', isUndone: true },
      'undone',
    ],
    ['an expiry before its time', { kind: 'expire' }, pending, 'not_expired_yet'],
    [
      'a second approval by the first approver',
      { ...approve, approvals: { isSecondNeeded: true, isSecond: true, isByFirstApprover: true } },
      { ...pending, state: 'second_approval' },
      'same_approver',
    ],
    [
      'an approval by an admin who did not see the first one',
      { ...approve, approvals: { isSecondNeeded: true, isSecond: false, isByFirstApprover: false } },
      { ...pending, state: 'second_approval' },
      'second_needed',
    ],
    [
      'a second approval after the deadline',
      approve,
      { ...pending, state: 'second_approval', expiresAt: NOW },
      'expired',
    ],
    ['a hand-over after a decision', { kind: 'hand_on' }, { ...pending, state: 'approved' }, 'not_pending'],
    ['a hand-over after the deadline', { kind: 'hand_on' }, { ...pending, expiresAt: NOW }, 'expired'],
    [
      'giving it away by a manager',
      { kind: 'give', by: { ...admin, role: 'manager' }, receiver: 'can_decide' },
      pending,
      'admins_only',
    ],
    [
      'giving it to who cannot decide it',
      { kind: 'give', by: admin, receiver: 'cannot_decide' },
      pending,
      'receiver_cannot_decide',
    ],
    ['giving it to who is asked', { kind: 'give', by: admin, receiver: 'asked' }, pending, 'already_asked'],
  ] as const)('is refused: %s', (_name, event, facts, reason) => {
    expect(transitionOf(facts, event, NOW)).toEqual({ kind: 'refused', reason });
  });

  test('on a closed request shows that it is closed to every role, but rights are checked first', () => {
    for (const state of REQUEST_STATES) {
      const step = transitionOf({ ...pending, state }, { kind: 'deny', by: mia, involvement: 'none' }, NOW);
      expect(step).toEqual({ kind: 'refused', reason: 'admins_only' });
    }
  });
});

test('each role has its permissions', () => {
  const entries: LimitAction[] = [
    ...(['ask_for_self', 'ask_for_others', 'import', 'list_waiting', 'give'] as const).map((action) => ({ action })),
    ...(['decide', 'resume'] as const).flatMap((action) => INVOLVEMENTS.map((one) => ({ action, involvement: one }))),
    ...[true, false].map((isRequester) => ({ action: 'withdraw' as const, isRequester })),
    ...[true, false].map((isForThem) => ({ action: 'undo' as const, isForThem })),
    ...[true, false].map((isOwnLimit) => ({ action: 'see_ledger' as const, isOwnLimit })),
  ];
  const table = entries.map((action) => [
    Object.values(action).join(' '),
    ...(['member', 'manager', 'admin'] as const).map((role) => denialOf(action, { role }) ?? 'may'),
  ]);
  expect(table).toEqual([
    ['ask_for_self', 'may', 'may', 'may'],
    ['ask_for_others', 'managers_only', 'may', 'may'],
    ['import', 'managers_only', 'may', 'may'],
    ['list_waiting', 'admins_only', 'admins_only', 'may'],
    ['give', 'admins_only', 'admins_only', 'may'],
    ['decide none', 'admins_only', 'admins_only', 'may'],
    ['decide among_others', 'admins_only', 'admins_only', 'may'],
    ['decide only_them', 'admins_only', 'admins_only', 'own_request'],
    ['decide requester', 'admins_only', 'admins_only', 'own_request'],
    ['decide requester_for_others', 'admins_only', 'admins_only', 'own_request'],
    ['resume none', 'admins_only', 'admins_only', 'may'],
    ['resume among_others', 'admins_only', 'admins_only', 'may'],
    ['resume only_them', 'admins_only', 'admins_only', 'own_request'],
    ['resume requester', 'admins_only', 'admins_only', 'own_request'],
    ['resume requester_for_others', 'admins_only', 'admins_only', 'own_request'],
    ['withdraw true', 'may', 'may', 'may'],
    ['withdraw false', 'not_theirs', 'not_theirs', 'may'],
    ['undo true', 'admins_only', 'admins_only', 'own_limit'],
    ['undo false', 'admins_only', 'admins_only', 'may'],
    ['see_ledger true', 'may', 'may', 'may'],
    ['see_ledger false', 'managers_only', 'may', 'may'],
  ]);
});

test('a request concerns a person by Slack id or by e-mail, in any letter case', () => {
  const request = { requester: 'U0MIA', requesterEmail: 'mia@acme.example', people: 2 };
  expect(involvementOf(request, 0, mia)).toBe('requester_for_others');
  expect([1, 2].map((rows) => involvementOf(request, rows, mia))).toEqual(['requester', 'requester']);
  expect(involvementOf(request, 1, { slackId: 'U0TWIN', email: 'Mia@ACME.example' })).toBe('requester');
  expect(involvementOf({ ...request, requesterEmail: null }, 0, { slackId: 'U0X', email: undefined })).toBe('none');
  const twoEmails = { slackId: 'U0TWIN', email: 'm.chen@acme.example', otherEmails: ['mia@acme.example'] };
  expect(involvementOf(request, 1, twoEmails)).toBe('requester');
  expect([0, 1, 2].map((rows) => involvementOf(request, rows, admin))).toEqual(['none', 'among_others', 'only_them']);
});

test('a limit that was due before the end of a time that the store may lack is not sent by itself; other work continues', () => {
  const silence = { reason: 'was_away', since: NOW, until: LATER } as const;
  expect(gapBefore(new Date(NOW.getTime() - 1), silence)).toBe(silence);
  expect(gapBefore(new Date(LATER.getTime() - 1), silence)).toBe(silence);
  expect(gapBefore(LATER, silence)).toBeUndefined();
  expect(gapBefore(NOW, undefined)).toBeUndefined();
});
