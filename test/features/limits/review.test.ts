import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LimitPerson } from '../../../src/features/limits/core/limit-tables.ts';
import { changesOf, readReview } from '../../../src/features/limits/decide/read-form.ts';
import { FormState } from '../../../src/core/slack/blocks/views.ts';

const state = (values: Record<string, string | undefined>) =>
  new FormState(Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { [field]: { value } }])));
const fieldsOf = (asked: readonly number[]) => asked.map((amount, at) => ({ at, asked: amount, back: null }));
const metadata = JSON.stringify({ id: 'k7m2x', fields: fieldsOf([700, 50]) });

const personAt = (position: number, email: string, asked: number): LimitPerson => ({
  requestId: 'k7m2x',
  email,
  position,
  slackId: null,
  fromDeclared: null,
  shownBefore: null,
  removes: null,
  returnsToNone: null,
  fromValue: null,
  toValue: asked,
  returnValue: null,
  approvedValue: null,
  setValue: null,
  state: 'asked',
  error: null,
  mayBeSet: null,
  batch: null,
});
const people = [personAt(0, 'mia@acme.example', 700), personAt(1, 'max@acme.example', 50)];

describe('a review', () => {
  test('lowers, leaves out and keeps amounts', () => {
    const { review, errors } = readReview(state({ amount_0: '650', amount_1: '' }), metadata);
    expect(errors).toEqual({});
    expect(changesOf(review, people)).toEqual({
      lowered: new Map([['mia@acme.example', 650]]),
      leftOut: new Set(['max@acme.example']),
      returns: new Map(),
      highestReturn: undefined,
    });
  });

  test('that leaves all people out must deny instead', () => {
    expect(readReview(state({ amount_0: '', amount_1: '' }), metadata).errors).toEqual({
      amount_0: 'This leaves no one to approve. Press Deny instead.',
    });
  });

  test.each(['-5', '1e3', 'a lot', '9'.repeat(16)])('says at the field that “%s” is no amount', (typed) => {
    const { errors } = readReview(state({ amount_0: typed, amount_1: '' }), metadata);
    expect(errors).toEqual({ amount_0: expect.stringContaining('Type a number from 0 up') });
  });

  test('lets a raise go back to less than was shown, never to more', () => {
    const withBack = JSON.stringify({ id: 'k7m2x', fields: [{ at: 0, asked: 700, back: 500 }] });
    const raised = [{ ...personAt(0, 'mia@acme.example', 700), returnValue: 500 }];
    const { review } = readReview(state({ amount_0: '700', back_0: '400' }), withBack);
    expect(changesOf(review, raised)).toMatchObject({ returns: new Map([['mia@acme.example', 400]]) });
    const { errors } = readReview(state({ amount_0: '700', back_0: '501' }), withBack);
    expect(errors).toEqual({ back_0: 'At most 500, as shown.' });
  });

  test('never gives more than was requested, whatever is typed and whatever the form claims', () => {
    const typed = fc.oneof(fc.nat(2_000).map(String), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(typed, typed, fc.array(fc.nat(5_000), { maxLength: 4 }), typed, (one, two, asked, exception) => {
        const forged = JSON.stringify({ id: 'k7m2x', fields: fieldsOf(asked) });
        const exceptions = `max@acme.example,${exception}`;
        const { review } = readReview(state({ amount_0: one, amount_1: two, exceptions }), forged);
        const changes = changesOf(review, people);
        const lowered = 'problem' in changes ? [] : [...changes.lowered];
        const most = new Map(people.map((person) => [person.email, person.toValue]));
        expect(lowered.every(([email, value]) => value < (most.get(email) ?? 0))).toBe(true);
      }),
    );
  });

  test('names the unknown exception', () => {
    const { review } = readReview(
      state({ exceptions: 'nora@acme.example' }),
      JSON.stringify({ id: 'k7m2x', fields: [] }),
    );
    expect(changesOf(review, people)).toEqual({ problem: 'nora@acme.example is not in this request.' });
  });
});
