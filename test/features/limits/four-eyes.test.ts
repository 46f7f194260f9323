import { describe, expect, test } from 'vitest';
import { denialOf, INVOLVEMENTS, type Actor } from '../../../src/features/limits/core/access.ts';
import { decidersOf, whyUndecidable } from '../../../src/features/limits/rights/deciders.ts';
import { mayDecideAlone } from '../../../src/features/limits/rights/four-eyes.ts';
import { transitionOf } from '../../../src/features/limits/core/states.ts';

const ada: Actor = {
  slackId: 'U0ADA',
  email: 'ada@acme.example',
  otherEmails: ['a.stone@acme.example'],
  role: 'admin',
};
const adaAgain: Actor = { slackId: 'U0ADA2', email: 'A.Stone@acme.example', role: 'admin' };
const nora: Actor = { slackId: 'U0NORA', email: 'nora@acme.example', role: 'admin' };
const mia = { slackId: 'U0MIA', email: 'mia@acme.example' };
const NOW = new Date('2026-03-02T09:00:00Z');
const pending = {
  state: 'pending',
  requester: 'U0ADA',
  expiresAt: new Date('2026-03-05'),
  until: undefined,
  finishedAt: undefined,
  isUndone: false,
} as const;

/** The admins that Slack lists, and whether Ada is the only person among them. */
const ADMIN_LISTS: [what: string, admins: readonly Actor[] | undefined, isOnly: boolean][] = [
  ['Ada', [ada], true],
  ['two accounts of Ada', [ada, adaAgain], true],
  ['Ada and Nora', [ada, nora], false],
  ['Nora', [nora], false],
  ['nobody', [], false],
  ['unknown', undefined, false],
];

const COMBINATIONS = (['required', 'when-possible'] as const).flatMap((fourEyes) =>
  ADMIN_LISTS.flatMap(([, admins, isOnly]) =>
    (['admin', 'manager', 'member'] as const).flatMap((role) =>
      [false, true].flatMap((areEmailsUnsure) =>
        INVOLVEMENTS.flatMap((involvement) =>
          [false, true].map((isConfirmed) => ({
            fourEyes,
            admins,
            isOnly,
            role,
            areEmailsUnsure,
            involvement,
            isConfirmed,
          })),
        ),
      ),
    ),
  ),
);

test('a requester approves only for others, as the only admin, with a confirmation, and if the setting allows it', () => {
  const approved = COMBINATIONS.filter(({ fourEyes, admins, role, areEmailsUnsure, involvement, isConfirmed }) => {
    const actor = { ...ada, role, areEmailsUnsure };
    const by = { ...actor, decidesAlone: mayDecideAlone({ fourEyes, admins }, actor) };
    const event = { kind: 'approve', by, involvement, approvesAnyone: true, isConfirmed } as const;
    return transitionOf(pending, event, NOW).kind === 'moved';
  });
  const allowed = COMBINATIONS.filter(
    ({ fourEyes, isOnly, role, areEmailsUnsure, involvement, isConfirmed }) =>
      role === 'admin' &&
      (involvement === 'none' ||
        involvement === 'among_others' ||
        (involvement === 'requester_for_others' &&
          fourEyes === 'when-possible' &&
          isOnly &&
          !areEmailsUnsure &&
          isConfirmed)),
  );
  expect(approved).toEqual(allowed);
  expect(allowed.some(({ involvement }) => involvement === 'requester_for_others')).toBe(true);
});

test('nothing lets an admin decide a request that is for them', () => {
  for (const involvement of ['only_them', 'requester'] as const)
    for (const action of ['decide', 'resume'] as const)
      expect(denialOf({ action, involvement }, { role: 'admin', decidesAlone: true })).toBe('own_request');
});

describe('who could decide a request', () => {
  const alone: Actor = { ...ada, decidesAlone: true };
  const forMia = { requester: ada, people: [mia] };

  test('includes its requester only if they decide alone', () => {
    expect(decidersOf([ada, nora], forMia)).toEqual([nora]);
    expect(decidersOf([ada], forMia)).toEqual([]);
    expect(decidersOf([alone], forMia)).toEqual([alone]);
    expect(decidersOf([alone], { requester: ada, people: [] })).toEqual([alone]);
  });

  test.each([
    ['by Slack id', { slackId: 'U0ADA', email: undefined }],
    ['by e-mail', { email: 'ADA@acme.example' }],
    ['by another e-mail of theirs', { email: 'a.stone@acme.example' }],
  ])('never includes a person who is in it, named %s', (_how, own) => {
    expect(decidersOf([alone], { requester: ada, people: [own] })).toEqual([]);
    expect(decidersOf([alone], { requester: ada, people: [own, mia] })).toEqual([]);
    expect(decidersOf([alone], { requester: mia, people: [own] })).toEqual([]);
  });

  test('is explained if there is none, with what to do', () => {
    expect(whyUndecidable([alone], forMia, 'when-possible')).toBeUndefined();
    expect(whyUndecidable([ada], forMia, 'required')).toContain('FOUR_EYES=when-possible');
    expect(whyUndecidable([ada], { requester: ada, people: [ada] }, 'required')).not.toContain('FOUR_EYES');
    expect(whyUndecidable([ada], { requester: ada, people: [ada, mia] }, 'when-possible')).toContain(
      'Leave yourself out',
    );
    expect(whyUndecidable([{ ...ada, areEmailsUnsure: true }], forMia, 'when-possible')).toContain('Try again later');
    expect(whyUndecidable([ada], { requester: mia, people: [ada] }, 'required')).toContain('also for the only one');
    expect(whyUndecidable([], forMia, 'required')).toContain('Quartermaster has none');
  });
});
