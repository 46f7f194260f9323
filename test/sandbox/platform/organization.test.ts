import { describe, expect, test } from 'vitest';
import { createOrganization } from '../../../src/sandbox/platform/model/organization.ts';

describe('a generated organization', () => {
  const organization = createOrganization({ seed: 1, people: 1_000 });

  test('starts with the people of the sandbox Slack', () => {
    expect(organization.people.slice(0, 5).map(({ name, email }) => `${name} <${email}>`)).toEqual([
      'Morgan Reyes <morgan.manager@acme.example>',
      'Mia Chen <mia.member@acme.example>',
      'Ada Okafor <ada.admin@acme.example>',
      'Max Weber <max.member@acme.example>',
      'Nora Lindqvist <nora.member@acme.example>',
    ]);
  });

  test('has unique ids and e-mails', () => {
    const emails = organization.people.flatMap(({ email }) => (email === null ? [] : [email.toLowerCase()]));
    expect(new Set(emails).size).toBe(emails.length);
    expect(new Set(organization.people.map(({ id }) => id)).size).toBe(1_000);
  });

  test('has people without an e-mail, people in other letter case, and people who never work', () => {
    const { people } = organization;
    expect(people.filter(({ email }) => email === null).length).toBeGreaterThan(5);
    const shouted = people.filter(({ email, reportedEmail }) => email !== reportedEmail);
    expect(shouted.length).toBeGreaterThan(10);
    for (const { email, reportedEmail } of shouted) expect(reportedEmail?.toLowerCase()).toBe(email);
    expect(people.filter(({ habits }) => habits.engagement === 0).length).toBeGreaterThan(10);
  });

  test('has the same person at the same position, for any size', () => {
    const small = createOrganization({ seed: 1, people: 50 });
    expect(organization.people.slice(0, 50)).toEqual(small.people);
    expect(createOrganization({ seed: 2, people: 50 }).people[7]).not.toEqual(small.people[7]);
  });
});
