import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { fillForm, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { delivered, formValues, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock, passTo } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const MORNING = { rhythm: 'daily', at: '09:00', zone: 'UTC' };
const PEOPLE = /Top people|Mia Chen|Nora Lindqvist|@acme/;

const textsTo = async (as: string) => (await messagesIn(scene, 'dm', as)).posts.map(({ text }) => text);
const why = async () => (await typeCommand(scene.slack, 'morgan', '/digest', 'why', 'general')).text;

describe('the private digest of a manager', () => {
  /** The digest of 3 March has come; managers are those of a user group. */
  async function startOwn(): Promise<string> {
    const prepare = ({ control }: TestApp['slack']) =>
      control.setUserGroup({ handle: 'web-team', members: ['morgan', 'nora'] });
    scene = await startTestApp({ at: new Date('2026-03-02T12:00:00Z'), settings: { MANAGERS: 'S0WEB' }, prepare });
    const sections = ['summary', 'people'];
    const { id } = await setUpDigest(scene, { ...MORNING, where: 'me', channel: null, sections });
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    for (const part of ['summary', 'people']) await delivered(scene, `${id}:2026-03-03:detail:${part}`);
    expect((await textsTo('morgan')).at(-1)).toContain('Top people');
    return id;
  }

  /** The messages to Morgan the next morning, and to the admin. */
  async function nextMorning(id: string, lastKey: string) {
    const before = (await textsTo('morgan')).length;
    await moveClock(scene, new Date('2026-03-04T09:00:00Z'));
    for (const key of ['reader-lost:%:admins:U0ADA', lastKey]) await delivered(scene, key);
    await delivered(scene, `digest:${id}:2026-03-04`, 'skipped');
    const [digest] = await subscriptions(scene);
    return { digest, own: (await textsTo('morgan')).slice(before), admin: await textsTo('ada') };
  }

  test.each([
    ['a guest', 'a guest of this workspace'],
    ['a plain member', 'no longer a manager in Quartermaster'],
  ])('ends with one sentence when the manager becomes %s', async (what, words) => {
    const id = await startOwn();
    if (what === 'a guest') await scene.slack.control.updatePerson({ person: 'morgan', isGuest: true });
    else await scene.slack.control.setUserGroup({ handle: 'web-team', members: ['nora'] });
    const { digest, own, admin } = await nextMorning(id, 'reader-lost-farewell');
    expect(digest).toMatchObject({ state: 'paused', changedBy: null });
    expect(digest?.pausedReason).toContain('Its recipient');
    expect(admin).toEqual([
      expect.stringContaining(`Stopped for <@U0MORGAN>: The daily digest ${id} of the organization.`),
    ]);
    expect(own).toEqual([expect.stringContaining(words)]);
    expect(own.join('\n')).not.toMatch(PEOPLE);
  });

  test('ends silently when the account is deactivated', async () => {
    const id = await startOwn();
    await scene.slack.control.updatePerson({ person: 'morgan', isDeactivated: true });
    const { digest, own, admin } = await nextMorning(id, 'reader-lost:');
    expect(digest?.state).toBe('paused');
    expect(admin).toHaveLength(1);
    expect(own).toEqual([]);
  });
});

describe('the digest of a squad of four in a channel', () => {
  const SQUAD = ['mia', 'nora', 'max', 'ada'];

  async function startTeamOfFive(sections: string[], settings = {}, at = new Date('2026-03-02T12:00:00Z')) {
    scene = await startTestApp({ at, settings });
    await scene.slack.control.setUserGroup({ handle: 'web-team', members: [...SQUAD, 'morgan'] });
    const { id } = await setUpDigest(scene, { ...MORNING, audience: 'S0WEB', sections }, 'ada');
    await delivered(scene, 'digest-introduction');
    return id;
  }

  async function startSquad(sections: string[], settings = {}): Promise<string> {
    // The form would refuse a digest of a group of four without visible figures: the group shrinks to four afterwards.
    const id = await startTeamOfFive(sections, settings);
    await scene.slack.control.setUserGroup({ handle: 'web-team', members: SQUAD });
    return id;
  }

  test('without any visible figure is refused in the form, with the same sentence as when the team was chosen', async () => {
    scene = await startTestApp({ at: new Date('2026-03-02T12:00:00Z') });
    await scene.slack.control.setUserGroup({ handle: 'web-team', members: ['mia', 'nora', 'max', 'ada'] });
    const sentence =
      '4 of @web-team were active in the last 28 days. Totals for fewer than 5 people aren’t posted to channels. Include names, or send it to yourself.';
    await openByCommand(scene.slack, 'ada', '/digest', 'new');
    const values = formValues({ ...MORNING, sections: ['summary'] });
    await fillForm(scene.slack, 'ada', values);
    expect(textOfView(await fillForm(scene.slack, 'ada', formValues({ audience: 'S0WEB' })))).toContain(sentence);
    expect(textOfView(await submitForm(scene.slack, 'ada', {}))).toContain(`*${sentence}*`);
    const named = formValues({ sections: ['summary', 'people'] });
    expect(textOfView(await submitForm(scene.slack, 'ada', named))).toContain('*Done.*');
  });

  test('shows the total above the people if names were chosen', async () => {
    const id = await startSquad(['summary', 'people']);
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    const text = (await messagesIn(scene, 'agent-usage')).posts.at(-1)?.text;
    expect(text).toContain('credits for @web-team');
    expect(text).toContain('Top people of @web-team');
    expect(text).not.toContain('aren’t shown');
    const looks = await until(scene, async (db) => {
      const rows = await db.selectFrom('figureLooks').selectAll().where('looker', '=', 'C0USAGE').execute();
      return rows.length > 0 ? rows : undefined;
    });
    expect(looks.map(({ subject, what }) => `${what} ${subject}`)).toContain('digest mia.member@acme.example');
  });

  test('is skipped without names, notifies its owner once, and /digest why names the part and the reason', async () => {
    const id = await startSquad(['summary']);
    for (const day of [3, 4]) {
      await moveClock(scene, new Date(`2026-03-0${day}T09:00:00Z`));
      await delivered(scene, `digest:${id}:2026-03-0${day}`, 'skipped');
    }
    await delivered(scene, `digest-withheld:${id}`);
    expect((await messagesIn(scene, 'agent-usage')).posts).toHaveLength(1);
    const [notice, ...others] = await textsTo('ada');
    expect(notice).toContain(
      `The daily digest \`${id}\` to <#C0USAGE> wasn’t posted. Figures of @web-team stay private for these days: fewer than`,
    );
    expect(notice).toMatch(/were active\. The next one comes <!date\^/);
    expect(notice).not.toMatch(/Choose|Its readers/);
    expect(others).toEqual([]);
    expect(await why()).toMatch(/skipped\. Figures of @web-team stay private/);
  });

  const checkAhead = async () => {
    const job = scene.app.jobs.find(({ name }) => name === 'warn-of-withheld-digests');
    if (!job) throw new Error('There is no such job');
    await job.run();
  };

  test('is announced to its owner the day before, with what to change, and not again when it is withheld', async () => {
    const id = await startSquad(['summary']);
    for (const minutes of [17, 77]) {
      await moveClock(scene, new Date(Date.parse('2026-03-02T12:00:00Z') + minutes * 60_000));
      await checkAhead();
    }
    await delivered(scene, `digest-withheld:${id}`);
    const [notice] = await textsTo('ada');
    expect(notice).toContain(`The daily digest \`${id}\` to <#C0USAGE> probably won’t be posted at its next time`);
    expect(notice).toContain('fewer than 5 people in it, or outside it, were active');
    expect(notice).toContain('choose a larger team or a longer period, or a part that names people');
    const shown = await until(scene, (db) =>
      db
        .withTables<{ usageGroupSums: { setId: string } }>()
        .selectFrom('usageGroupSums')
        .selectAll()
        .execute()
        .then((rows) => ({ rows })),
    );
    expect(shown.rows).toEqual([]);
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `digest:${id}:2026-03-03`, 'skipped');
    await checkAhead();
    expect(await textsTo('ada')).toHaveLength(1);
  });

  test('is not announced while the group is large enough, or longer than a day before', async () => {
    // On Sundays fewer than five of them are active, so that the group is large enough only after a workday.
    const id = await startTeamOfFive(['summary'], {}, new Date('2026-03-03T12:00:00Z'));
    await moveClock(scene, new Date('2026-03-03T14:17:00Z'));
    await checkAhead();
    await passTo(scene, new Date('2026-03-04T09:00:00Z'));
    await delivered(scene, `digest:${id}:2026-03-04`);
    await setUpDigest(
      scene,
      { ...MORNING, audience: 'S0WEB', sections: ['summary'], rhythm: 'weekly', weekday: '5' },
      'ada',
    );
    await scene.slack.control.setUserGroup({ handle: 'web-team', members: ['mia', 'nora'] });
    // Only the daily one is due within a day.
    await moveClock(scene, new Date('2026-03-04T11:17:00Z'));
    await checkAhead();
    await delivered(scene, `digest-withheld:${id}:digest:`);
    const texts = (await textsTo('ada')).filter((text) => text.includes('probably won’t be posted'));
    expect(texts).toEqual([expect.stringMatching(new RegExp(`The daily digest \`${id}\`.*2026-03-05`))]);
  });

  test('without names leaves the total out of the rest, and /digest why names it', async () => {
    const id = await startSquad(['summary', 'controls']);
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    const text = (await messagesIn(scene, 'agent-usage')).posts.at(-1)?.text;
    expect(text).not.toMatch(/credits for @web-team|Nothing unusual/);
    expect(text).toContain('Figures of @web-team stay private for these days');
    expect(await why()).toContain('Left out. Usage: Figures of @web-team stay private for these days');
  });

  test('is corrected without names and amounts after its owner lost the right to choose them', async () => {
    const id = await startSquad(['summary', 'people'], { PEOPLE_ROLE: 'admin' });
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    // The correction waits, and its owner stops being an admin before it is sent.
    await scene.slack.control.addFault({ method: 'chat.postMessage', kind: 'error', error: 'team_added_to_org' });
    scene.platform.reviseDay('2026-03-02', 1.5);
    await moveClock(scene, new Date('2026-03-03T09:20:00Z'));
    await delivered(scene, `${id}:2026-03-03:correction:%:note`, 'waiting');
    await scene.slack.control.updatePerson({ person: 'ada', isAdmin: false });
    await moveClock(scene, new Date('2026-03-03T09:25:00Z'));
    await scene.slack.control.clearFaults({});
    await delivered(scene, `${id}:2026-03-03:correction:%:note`);
    const note = (await messagesIn(scene, 'agent-usage')).replies.at(-1)?.text;
    expect(note).toContain('The platform revised these figures');
    expect(note).not.toMatch(/→|Top people|Mia|mia/);
  });
});
