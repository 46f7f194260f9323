import { afterEach, describe, expect, test } from 'vitest';

import { typeCommand } from '../../support/slack/conversation.ts';
import { delivered, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

/** A Thursday morning: the week’s digest comes on Monday, and the group’s members mostly rest at the weekend. */
const THURSDAY = new Date('2026-03-05T12:00:00Z');
const MONDAY = new Date('2026-03-09T12:00:00Z');

async function startWithGroup(settings: Record<string, string> = {}): Promise<string> {
  scene = await startTestApp({
    at: THURSDAY,
    settings: { MANAGERS: 'U0MORGAN', MIN_GROUP: '5', ...settings },
    platform: { people: 40 },
  });
  const { slack, platform } = scene;
  const people = platform.organization.people.slice(8, 20);
  const members = [];
  for (const { email, name } of people) {
    if (email === undefined || email === null) continue;
    const person = await slack.control.addPerson({ handle: email.split('@')[0] ?? email, name, email });
    members.push(person.id);
  }
  slack.workspace.userGroups.set('S0CREW', { id: 'S0CREW', handle: 'crew', name: 'Crew', members });
  const { id } = await setUpDigest(scene, {
    channel: 'C0USAGE',
    audience: 'S0CREW',
    rhythm: 'weekly',
    weekday: '1',
    at: '09:00',
    zone: 'UTC',
  });
  return id;
}

const shownSums = () =>
  until(scene, (db) =>
    db
      .withTables<{ usageGroupSums: { setId: string } }>()
      .selectFrom('usageGroupSums')
      .select('setId')
      .execute()
      .then((rows) => rows.length),
  );

describe('a weekly digest of a small group', () => {
  test.each([2, 3, 4])('comes after a preview %d days before, which records nothing', async (daysAhead) => {
    const id = await startWithGroup();
    await moveClock(scene, new Date(MONDAY.getTime() - daysAhead * 24 * 60 * 60_000));
    const preview = await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`, 'agent-usage');
    expect(preview.text).toContain('Preview, only you see it');
    expect(preview.text).toContain('@crew');
    expect(preview.text).toContain('credits');
    expect(await shownSums()).toBe(0);
    await moveClock(scene, MONDAY);
    await delivered(scene, `${id}:2026-03-09`);
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.at(-1)?.text).toContain('2–8 Mar');
    expect(await shownSums()).toBeGreaterThan(0);
  });

  test('comes although it was previewed some seconds before', async () => {
    const id = await startWithGroup();
    await moveClock(scene, new Date('2026-03-09T08:59:30Z'));
    const preview = await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`, 'agent-usage');
    expect(preview.text).toContain('2–8 Mar');
    await moveClock(scene, new Date('2026-03-09T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-09`);
    expect(await shownSums()).toBeGreaterThan(0);
  });

  test('comes although a manager who can’t see single people asked for parts of it', async () => {
    const id = await startWithGroup({ PEOPLE_ROLE: 'admin' });
    await moveClock(scene, new Date('2026-03-07T12:00:00Z'));
    const ask = async (text: string) => (await typeCommand(scene.slack, 'morgan', '/usage', text, 'agent-usage')).text;
    expect(await ask('2026-03-02..2026-03-06 @crew')).toContain('a digest about some of them is still to come');
    expect((await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`, 'agent-usage')).text).toContain(
      'once they were posted',
    );
    expect(await shownSums()).toBe(0);
    await moveClock(scene, MONDAY);
    await delivered(scene, `${id}:2026-03-09`);
    expect((await messagesIn(scene, 'agent-usage')).posts.at(-1)?.text).toContain('2–8 Mar');
    // The same sum shows nothing new.
    expect(await ask('2026-03-02..2026-03-08 @crew')).toContain('credits');
  });
});
