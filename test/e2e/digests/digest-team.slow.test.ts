import { afterEach, describe, expect, test } from 'vitest';
import { delivered, messagesIn, setUpDigest } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** A Tuesday: the weeks before it are settled. */
const AT = new Date('2026-03-24T12:00:00Z');
const WEEKLY = { sections: ['summary'], rhythm: 'weekly', weekday: '1', zone: 'UTC' };

let scene: TestApp;
afterEach(() => scene.close());

const open = async (count: number, settings: Record<string, string> = {}) => {
  scene = await startTestApp({ at: AT, settings });
  const emails = scene.platform.organization.people.flatMap(({ email }) => email ?? []);
  for (const email of emails) {
    const handle = email.split('@')[0] ?? email;
    if (!scene.slack.workspace.findPerson(email)) await scene.slack.control.addPerson({ handle, name: handle, email });
  }
  return (await scene.slack.control.setUserGroup({ handle: 'squad', members: emails.slice(0, count) })).id;
};

/** The digest of Monday, 30 March. */
const monday = async (place: string, choices: Record<string, unknown>, hasDetails = true) => {
  const { id } = await setUpDigest(scene, { ...WEEKLY, ...choices });
  await moveClock(scene, new Date('2026-03-30T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-30`);
  if (hasDetails) await delivered(scene, `${id}:2026-03-30:detail:summary`);
  const { posts, replies } = await messagesIn(scene, place, 'morgan');
  return { text: posts.at(-1)?.text ?? '', details: replies.at(-1)?.text ?? '' };
};

describe('the weekly digest of a group', () => {
  test('has the change, the largest changes, a chart and the forecast for a reader who may see people', async () => {
    const audience = await open(12, { PEOPLE_ROLE: 'manager' });
    const sections = ['summary', 'people'];
    const { text, details } = await monday('dm', { audience, where: 'me', channel: null, sections });
    expect(text).toMatch(/credits for @squad on 23–29 Mar, \d+% more than on 16–22 Mar/);
    expect(text).toMatch(/Largest changes by day: \w{3} \d+ Mar: [\d.]+ M \(\+/);
    expect(text).toMatch(/Credits by day: Mon [^,]+, Tue [^,]+, Wed [^,]+, Thu [^,]+, Fri [^,]+, Sat [^,]+, Sun/);
    expect(text).toContain('Sessions: ');
    expect(text).toMatch(/Largest changes by person: .+: [\d.]+ [KM] \([+−]/);
    expect(details).toContain('March 2026 is on track for about ');
    expect(details).toContain('The platform breaks usage down by model and tier only for the whole organization.');
  });

  test('has one bar for a weekend with its Friday in a channel, if few people work on weekends', async () => {
    const audience = await open(12, { PEOPLE_ROLE: 'admin' });
    const { text, details } = await monday('agent-usage', { audience });
    expect(text).toMatch(/Credits by day, weekends with their Friday: Mon 23 Mar .*, Thu 26 Mar [^,]+, 27–29 Mar /);
    expect(text).toMatch(/Largest changes by day: /);
    expect(text).not.toMatch(/Sessions|Sat |Sun |private/);
    expect(details).toContain('March 2026 is on track for about ');
    expect(details).not.toMatch(/Sat |Sun /);
  });

  test('has the total alone in a channel, and says so, if its days could reveal the use of few people', async () => {
    const audience = await open(16, { PEOPLE_ROLE: 'admin' });
    const { text, details } = await monday('agent-usage', { audience }, false);
    expect(text).toMatch(/credits for @squad on 23–29 Mar, \d+% more than on 16–22 Mar/);
    expect(text).toContain(
      'Single days and the forecast of @squad stay private: they could reveal the use of few people.',
    );
    expect(text).not.toMatch(/by day/);
    expect(details).toBe('');
  });
});
