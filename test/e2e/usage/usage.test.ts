import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { predict } from '../../support/prediction.ts';
import { asked, startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

const ask = (as: string, text = '') => typeCommand(scene.slack, as, '/usage', text);
const LAST_WEEK = { first: '2026-02-23', last: '2026-03-01' };

describe('/usage of the organization', () => {
  test('shows a manager the figures that the platform’s generator predicts', async () => {
    const answer = await ask('morgan');
    const expected = predict(scene.platform.organization, LAST_WEEK);
    const before = predict(scene.platform.organization, { first: '2026-02-16', last: '2026-02-22' });
    expect(answer.text).toContain('Usage, 23 Feb – 1 Mar');
    expect(answer.text).toContain(`${formatCompact(expected.credits)} credits`);
    expect(answer.text).toContain(`% more than on 16–22 Feb (${formatCompact(before.credits)})`);
    expect(answer.text).toMatch(
      new RegExp(`Sessions: ${formatCompact(expected.sessions)} .*Messages: ${formatCompact(expected.messages)} `),
    );
    expect(answer.text).toContain(`Commits: ${formatCompact(expected.commits)} `);
    expect(answer.text).toContain('UTC days; 2 days may still change; read 2026-03-02 07:00 UTC.');
    const [topPerson] = [...expected.people].toSorted((a, b) => b[1] - a[1]);
    expect(topPerson?.[0]).toBe('mia.member@acme.example');
    expect((await ask('morgan', 'more')).text).toContain(`Top people: Mia Chen: ${formatCompact(topPerson?.[1] ?? 0)}`);
    expect(answer.blocks.map((block) => block['type'])).toContain('data_visualization');
    expect((await ask('morgan', 'more')).blocks.map((block) => block['type'])).toContain('data_table');
  });

  test('reads a summary of four weeks with at most twelve calls, and then with at most four', async () => {
    const calls = () => asked(scene.platform).filter((request) => request.path.startsWith('/api/')).length;
    await ask('morgan', '28d');
    const cold = calls();
    expect(cold).toBeLessThanOrEqual(12);
    await ask('morgan', '28d');
    expect(calls() - cold).toBeLessThanOrEqual(4);
  });

  test('shows a member their own part and the organization without names', async () => {
    const answer = await ask('mia');
    const expected = predict(scene.platform.organization, LAST_WEEK);
    expect(answer.text).toContain(`You: ${formatCompact(expected.people.get('mia.member@acme.example') ?? 0)} credits`);
    expect(answer.text).toContain(formatCompact(expected.credits));
    expect(everythingIn(answer)).not.toContain('@acme.example');
  });

  test('names the largest changes of an unusual day, and none of a day as usual', async () => {
    scene.platform.reviseDay('2026-02-26', 9);
    expect((await ask('morgan', '2026-02-26')).text).toMatch(
      /Largest changes by model: .*\nLargest changes by person: /,
    );
    expect((await ask('morgan', '2026-02-25')).text).not.toContain('Largest changes');
  });

  test('cuts a period to the available days, and the answer says so', async () => {
    const answer = await ask('morgan', '2026-01-01..2026-03-31');
    expect(answer.text).toContain('Usage, 14 Jan – 1 Mar');
    expect(answer.text).toContain('The platform has figures since 14 Jan 2026, so the period starts then.');
    expect(answer.text).toContain('so the period ends with Sun 1 Mar.');
    expect(answer.text).toContain('Not compared');
  });

  test('reports a whole period without figures', async () => {
    expect((await ask('morgan', 'oct 1 to oct 7')).text).toContain('is before that');
    expect((await ask('morgan', 'today')).text).toContain('There are no figures for today yet');
  });

  test('ends the last seven days with the last published day', async () => {
    scene.platform.holdDay('2026-03-01');
    const answer = await ask('morgan', '7d');
    expect(answer.text).toContain('Usage, 22–28 Feb');
    expect(answer.text).toContain('Sun 1 Mar isn’t published yet, so this covers the days to Sat 28 Feb.');
  });

  test('distinguishes an unpublished day from zero, and compares nothing then', async () => {
    scene.platform.holdDay('2026-02-25');
    const answer = await ask('morgan', '2026-02-23..2026-02-27');
    expect(answer.text).toContain('1 day not published');
    expect(answer.text).not.toMatch(/up \d|down \d/);
    expect((await ask('morgan', '2026-02-23..2026-02-27 more')).text).toContain('Wed 25 Feb: Credits –, not published');
  });

  test('names the part that could not be read and shows the rest', async () => {
    scene.platform.faults.add({ match: { path: '/api/v1/analytics/productivity' }, kind: 'status', status: 500 });
    const answer = await whileTimePasses(scene, ask('morgan'));
    const expected = predict(scene.platform.organization, LAST_WEEK);
    expect(answer.text).toContain(formatCompact(expected.credits));
    expect(answer.text).toContain('Commits: could not be read');
    expect(answer.text).toMatch(
      /The productivity could not be read\. The platform is having problems\..* Reference [0-9a-f]{8}/,
    );
  });
});

describe('/usage of people', () => {
  test('shows a member the figures that the generator predicts', async () => {
    const answer = await ask('mia', 'me last week');
    const expected = predict(scene.platform.organization, LAST_WEEK);
    expect(answer.text).toContain('Usage of Mia Chen, 23 Feb – 1 Mar');
    expect(answer.text).toContain(`${formatCompact(expected.people.get('mia.member@acme.example') ?? 0)} credits`);
  });

  test('accepts from a manager a person, an e-mail in any letter case, and a group', async () => {
    const expected = predict(scene.platform.organization, LAST_WEEK);
    const mia = formatCompact(expected.people.get('mia.member@acme.example') ?? 0);
    expect((await ask('morgan', '@mia')).text).toContain(mia);
    expect((await ask('morgan', 'MIA.member@acme.example')).text).toContain(mia);
    const team = await ask('morgan', '@web-team 7d');
    const credits = ['mia.member@acme.example', 'nora.member@acme.example'].map(
      (email) => expected.people.get(email) ?? 0,
    );
    expect(team.text).toContain('Usage of @web-team');
    expect(team.text).toContain(`${formatCompact(credits.reduce((sum, value) => sum + value, 0))} credits`);
  });

  test('refuses a member other people’s figures in one sentence that names the people to ask', async () => {
    for (const whom of ['@morgan', '@web-team', 'max.member@acme.example']) {
      const answer = await ask('mia', whom);
      expect(answer.text).toBe(
        `${onlyFor('manager', 'Other people’s figures', 'are')}U0ADA>, or type /usage me for your own.`,
      );
    }
    expect(asked(scene.platform).filter((request) => request.path.startsWith('/api/'))).toHaveLength(0);
  });

  test('of a person unknown to the platform has no figures, rather than an assumed zero', async () => {
    const answer = await ask('morgan', 'nobody@acme.example');
    expect(answer.text).toContain('nobody@acme.example doesn’t appear in the figures of these days');
    expect(answer.text).toContain('Check the spelling.');
  });
});

describe('the right to an answer', () => {
  test.each([
    ['gus', 'general', /guests can’t/],
    ['olga', 'acme-outside', /people of Quartermaster’s own workspace/],
  ])('is refused to %s with a specific sentence', async (handle, channel, sentence) => {
    expect((await typeCommand(scene.slack, handle, '/usage', '', channel)).text).toMatch(sentence);
    expect(asked(scene.platform)).toHaveLength(0);
  });

  test('is refused to a user whose account was deactivated in the meantime', async () => {
    const answer = await ask('max', 'me');
    expect(answer.text).toContain('Usage of Max Weber');
    await scene.slack.control.updatePerson({ person: 'max', isGuest: true });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
    expect((await ask('max', 'me')).text).toContain('guests can’t');
  });
});

test('does not depend on a setting that names a deleted user group', async () => {
  await scene.close();
  scene = await startTestApp({ settings: { ADMINS: 'SGONE', MANAGERS: 'SGONE,S0LEADS' } });
  expect((await ask('morgan', 'more')).text).toContain('Top people');
  expect((await ask('ada', 'more')).text).not.toContain('Top people');
  expect(scene.log.some((line) => line['group'] === 'SGONE')).toBe(true);
});

describe('unknown words', () => {
  test('are explained by the help of the command', async () => {
    expect((await ask('mia', 'help')).text).toContain('/usage last month me: your own figures');
  });

  test('that nearly match bring the corrected command as a button that runs it', async () => {
    const answer = await ask('morgan', 'sumary 7d');
    expect(answer.text).toContain('Unknown word “sumary”. Did you mean /usage summary 7d?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Run it');
    const corrected = await nextAnswer(scene.slack, since);
    expect(corrected.text).toContain('Usage, 23 Feb – 1 Mar');
  });

  test('name a person in their correction', async () => {
    expect((await ask('morgan', 'lsat week @mia')).text).toContain('Did you mean /usage last week <@U0MIA>?');
  });

  test('with two near matches are corrected together, and the button runs', async () => {
    const answer = await ask('morgan', 'pople lastweek');
    expect(answer.text).toContain('Did you mean /usage people last week?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Run it');
    expect((await nextAnswer(scene.slack, since)).text).toContain('People, 23 Feb – 1 Mar');
  });

  test('that stay wrong after their correction bring no button', async () => {
    expect((await ask('morgan', 'pople xylophone')).text).not.toContain('Did you mean');
  });

  test('such as two periods, two people or nonsense each have their sentence', async () => {
    expect((await ask('morgan', '7d 28d')).text).toContain('Only one period');
    expect((await ask('morgan', '@mia @max')).text).toContain('Only one person');
    const unknown = await ask('morgan', 'xylophone');
    expect(unknown.text).toBe('Unknown word “xylophone”.');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', unknown, 'Help');
    expect((await nextAnswer(scene.slack, since)).text).toContain('/usage last month me: your own figures');
    expect((await ask('morgan', '@nosuchperson')).text).toContain('No one in this workspace is called @nosuchperson');
  });
});

describe('sharing', () => {
  const shareOf = async (as: string, text: string, label: string) => {
    const answer = await ask(as, text);
    const since = scene.slack.mark();
    await clickButton(scene.slack, as, answer, label);
    const { message } = await scene.slack.next('message', undefined, { since });
    return { answer, message };
  };

  test('posts the answer to the channel without per-person rows, and names the user who shared it', async () => {
    const { message } = await shareOf('morgan', '', 'Share');
    expect(message.text).toContain('Usage, 23 Feb – 1 Mar');
    expect(everythingIn(message)).not.toContain('@acme.example');
    expect(JSON.stringify(message.blocks)).toContain('Shared by <@U0MORGAN>');
  });

  test('includes names only by the button that asks first', async () => {
    const { message } = await shareOf('morgan', '', 'Share with names');
    expect(message.text).toMatch(/Largest changes by person: (?:Mia Chen|Max Weber|Morgan Reyes|\S+@acme\.example): /);
  });

  test('by a second click shares nothing more', async () => {
    const { answer } = await shareOf('morgan', '', 'Share');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share');
    expect((await nextAnswer(scene.slack, since)).text).toBe('You shared this already.');
  });

  test('by a forged button shows a member nothing that they may not see', async () => {
    const answer = await ask('mia');
    const since = scene.slack.mark();
    await scene.slack.control.click({
      as: 'mia',
      source: { in: 'message', channel: 'general', ts: answer.ts },
      actionId: 'usage_share_with_names',
      forged: {
        value: 'summary 2026-02-23..2026-03-01 max.member@acme.example',
      },
    });
    expect((await nextAnswer(scene.slack, since)).text).toContain(onlyFor('manager', 'Other people’s figures', 'are'));
  });
});
