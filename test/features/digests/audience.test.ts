import { describe, expect, test } from 'vitest';
import { resolveAudience } from '../../../src/features/digests/core/audience.ts';
import type { People } from '../../../src/core/slack/people/people.ts';

const known: Record<string, { name: string; email: string | undefined }> = {
  U1: { name: 'Mia Chen', email: 'mia@acme.example' },
  U2: { name: 'Nora Lindqvist', email: undefined },
};
const unused = () => Promise.reject(new Error('not asked here'));
const peopleWith = (teams: Awaited<ReturnType<People['teams']>>): People => ({
  identify: unused,
  identifyAfresh: unused,
  groupMembers: unused,
  groupHandle: unused,
  admins: unused,
  managers: unused,
  names: () => Promise.resolve(new Map()),
  findByEmails: () => Promise.resolve(undefined),
  erasedAmong: () => [],
  groupEvidence: () => ({ refusedSince: undefined, acceptedAt: undefined, codes: [] }),
  readSettingsGroups: unused,
  isDeactivated: unused,
  status: unused,
  describe: (id) => Promise.resolve(known[id]),
  teams: () => Promise.resolve(teams),
  teamsNow: () => Promise.resolve(teams),
});
const web = { id: 'S1', handle: 'web-team', members: ['U1'], emails: ['mia@acme.example'] };
const people = peopleWith([web, { id: 'S2', handle: 'quiet', members: ['U2'], emails: [] }]);

describe('the audience of a digest', () => {
  test('is all people, the current members of a team, or the chosen people', async () => {
    expect(await resolveAudience(people, { kind: 'organization' })).toMatchObject({ people: undefined });
    expect(await resolveAudience(people, { kind: 'team', id: 'S1', handle: 'old-name' })).toMatchObject({
      people: ['mia@acme.example'],
      label: '@web-team',
    });
    expect(await resolveAudience(people, { kind: 'people', ids: ['U1', 'U2'] })).toMatchObject({
      people: ['mia@acme.example'],
      label: '2 people',
    });
    expect(await resolveAudience(people, { kind: 'people', ids: ['U1'] })).toMatchObject({ label: 'Mia Chen' });
  });

  test('is empty if the team is gone or has no e-mails: a digest of zeros would be wrong', async () => {
    expect(await resolveAudience(people, { kind: 'team', id: 'S9', handle: 'gone' })).toEqual({
      kind: 'gone',
      sentence: 'The team @gone no longer exists in Slack.',
    });
    expect(await resolveAudience(people, { kind: 'team', id: 'S2', handle: 'quiet' })).toMatchObject({ kind: 'gone' });
  });

  test('is unknown while Slack does not list its user groups', async () => {
    const asked = resolveAudience(peopleWith([]), { kind: 'team', id: 'S1', handle: 'web-team' });
    await expect(asked).rejects.toThrow('Reading Slack’s user groups failed');
  });
});
