import { describe, expect, test } from 'vitest';
import {
  MAX_QUESTIONS,
  whyNotAnswered,
  whyNotAsked,
  type AnswerContext,
  type QuestionContext,
} from '../../../src/features/limits/question/rules.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const pending = { state: 'pending', expiresAt: new Date('2026-03-05T08:00:00Z') } as const;

const asking = (more: Partial<QuestionContext> = {}): QuestionContext => ({
  by: { role: 'admin' },
  involvement: 'none',
  questionCount: 0,
  ...more,
});
const answering = (more: Partial<AnswerContext> = {}): AnswerContext => ({
  isRequester: true,
  isAnswered: false,
  ...more,
});

describe('a question about a request', () => {
  test.each([
    ['an admin asks', asking(), undefined],
    ['an admin who is among its people asks', asking({ involvement: 'among_others' }), undefined],
    ['a manager asks', asking({ by: { role: 'manager' } }), 'admins_only'],
    ['a member asks', asking({ by: { role: 'member' } }), 'admins_only'],
    ['the admin who made it asks', asking({ involvement: 'requester' }), 'own_request'],
    ['an admin asks, and is the only person concerned', asking({ involvement: 'only_them' }), 'own_request'],
    ['an admin asks once too often', asking({ questionCount: MAX_QUESTIONS }), 'too_many'],
  ])('is allowed or refused while the request waits: %s', (_what, event, refusal) => {
    expect(whyNotAsked(pending, event, NOW)).toBe(refusal);
  });

  test.each([
    ['the requester answers', answering(), undefined],
    ['another user answers', answering({ isRequester: false }), 'not_theirs'],
    ['the requester answers again', answering({ isAnswered: true }), 'answered'],
  ])('is answered or refused while the request waits: %s', (_what, event, refusal) => {
    expect(whyNotAnswered(pending, event, NOW)).toBe(refusal);
  });

  test.each(['approved', 'applied', 'denied', 'withdrawn', 'expired'] as const)(
    'is neither asked nor answered once the request is %s',
    (state) => {
      expect(whyNotAsked({ ...pending, state }, asking(), NOW)).toBe('not_waiting');
      expect(whyNotAnswered({ ...pending, state }, answering(), NOW)).toBe('not_waiting');
    },
  );

  test('is neither asked nor answered when its time to be decided is over', () => {
    expect(whyNotAsked({ ...pending, expiresAt: NOW }, asking(), NOW)).toBe('not_waiting');
    expect(whyNotAnswered({ ...pending, expiresAt: NOW }, answering(), NOW)).toBe('not_waiting');
  });
});
