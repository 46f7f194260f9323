import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LimitPerson, LimitRequest } from '../../../src/features/limits/core/limit-tables.ts';
import { askLine, stateLine, untilLine } from '../../../src/features/limits/core/state-text.ts';
import { visibleTo } from '../../../src/features/limits/core/visible.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const personAt = (position: number, more: Partial<LimitPerson> = {}): LimitPerson => ({
  requestId: 'k7m2x',
  email: `p${position}@acme.example`,
  position,
  slackId: `U${position}`,
  fromValue: 400 + position,
  fromDeclared: null,
  shownBefore: null,
  removes: null,
  returnsToNone: null,
  toValue: 1_000 + position,
  returnValue: 300 + position,
  approvedValue: 900 + position,
  setValue: null,
  state: 'set',
  error: null,
  mayBeSet: null,
  batch: 0,
  ...more,
});
const request: LimitRequest = {
  id: 'k7m2x',
  kind: 'ask',
  state: 'partly_applied',
  version: 1,
  requester: 'U0MORGAN',
  requesterEmail: 'morgan@acme.example',
  reason: 'layoff planning',
  until: '2026-03-05T12:00:00.000Z',
  people: 3,
  createdAt: '2026-03-02T09:00:00.000Z',
  expiresAt: '2026-03-05T09:00:00.000Z',
  decidedBy: 'U0ADA',
  decidedAt: '2026-03-02T10:00:00.000Z',
  comment: 'about p1 and p2',
  finishedAt: '2026-03-02T10:00:00.000Z',
  parentId: null,
  firstApprovedBy: null,
  firstApprovedEmail: null,
  firstApprovedAt: null,
  policyId: null,
  policyVersion: null,
  policyName: null,
  undoUntil: null,
  isBlocked: null,
  sessionKey: null,
  unsureSince: null,
  unsureUntil: null,
  chosenBy: null,
  chosenAt: null,
  decidedAlone: null,
  undoneBy: null,
  undoneAt: null,
  round: 0,
  attempts: 1,
  nextAttemptAt: null,
  leasedBy: null,
  leasedUntil: null,
  evidence: '{"people":"p2"}',
};
const people = [personAt(0), personAt(1, { state: 'refused', error: 'no' }), personAt(2)];
const whole = { request, people, counts: { set: 2, refused: 1 } };
const viewer = (slackId: string, role: 'member' | 'manager' | 'admin', email?: string) => ({ slackId, role, email });

describe('the view of a request', () => {
  test.each([
    ['its requester', viewer('U0MORGAN', 'member')],
    ['its requester by another account', viewer('U0TWIN', 'member', 'Morgan@Acme.example')],
    ['a manager', viewer('U9', 'manager')],
    ['an admin', viewer('U9', 'admin')],
    ['a reader of the channel where requests are decided', 'reviewers' as const],
  ])('shows all of it to %s', (_who, one) => {
    expect(visibleTo(whole, one)).toMatchObject({ extent: 'all', request: { reason: 'layoff planning' }, people });
  });

  test.each([
    ['by Slack id', viewer('U1', 'member')],
    ['by e-mail', viewer('U9', 'member', 'P1@acme.example')],
  ])('shows one of its people, known %s, their own row and its outcome, and no word about the others', (_how, one) => {
    const visible = visibleTo(whole, one);
    expect(visible).toMatchObject({
      extent: 'own',
      request: { reason: null, comment: null, people: 1, state: 'partly_applied' },
      people: [people[1]],
      counts: { refused: 1 },
    });
  });

  test.each([
    { approved: 6_000_000, set: null, line: '✅ *6 M set* (requested 12 M) ' },
    { approved: 12_000_000, set: 12_000_000, line: '✅ *12 M set* ' },
    { approved: 6_123_456, set: null, line: '✅ *6,123,456 set* (requested 12 M) ' },
  ])('begins the line of a request for one person with the amount: $line', ({ approved, set, line }) => {
    const one = personAt(0, { toValue: 12_000_000, approvedValue: approved, setValue: set });
    const applied = { ...request, state: 'applied' as const, people: 1 };
    const visible = visibleTo({ request: applied, people: [one], counts: { set: 1 } }, 'reviewers');
    if (!visible) throw new Error('Reviewers see every request');
    expect(mrkdwnOf(stateLine(visible)).startsWith(line)).toBe(true);
  });

  test('shows a stranger nothing', () =>
    expect(visibleTo(whole, viewer('U9', 'member', 'x@acme.example'))).toBeUndefined());

  test('shows none of its people a word about another, whatever the texts contain', () => {
    fc.assert(
      fc.property(fc.nat(2), (own) => {
        const visible = visibleTo(whole, viewer(`U${own}`, 'member'));
        if (!visible) throw new Error('It is about them');
        const said = [askLine(visible), stateLine(visible), untilLine(visible)]
          .map((line) => line && mrkdwnOf(line))
          .join('\n');
        const everything = `${said}\n${JSON.stringify(visible)}`;
        for (const other of people.filter(({ position }) => position !== own)) {
          const { email, slackId: id, toValue: to, approvedValue: approved } = other;
          for (const secret of [email, `"${id}"`, String(to), String(approved)])
            expect(everything).not.toContain(secret);
        }
        expect(everything).not.toMatch(/layoff|about p1/);
      }),
    );
  });
});
