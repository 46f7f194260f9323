import { VIEWS, type UsageViewName } from '../../../src/features/usage/usage-command.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FileView, MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { daysOf } from '../../../src/core/base/time/calendar.ts';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { whileTimePasses } from '../../support/scene-clock.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { predict } from '../../support/prediction.ts';
import { asked, startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async () => {
  scene = await startTestApp();
};
/** For tests that change nothing: an app is started once, and has read its days. */
function withOneApp(): void {
  beforeAll(start);
  afterAll(() => scene.close());
}
/** For tests that count calls, or change the platform or its faults. */
function withOwnApps(): void {
  beforeEach(start);
  afterEach(() => scene.close());
}

const ask = (as: string, text = '') => typeCommand(scene.slack, as, '/usage', text);
const LAST_WEEK = { first: '2026-02-23', last: '2026-03-01' };
const platformCalls = () => asked(scene.platform).filter(({ path }) => path.startsWith('/api/')).length;

const NAMES: Readonly<Record<string, string>> = {
  'mia.member@acme.example': 'mia chen',
  'max.member@acme.example': 'max weber',
  'morgan.manager@acme.example': 'morgan reyes',
  'ada.admin@acme.example': 'ada okafor',
  'nora.member@acme.example': 'nora lindqvist',
};

/** Chooses an option in the menu with this placeholder. */
async function choose(as: string, answer: MessageView, actionId: string, value: string): Promise<MessageView> {
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
  await scene.slack.control.click({ as, source, actionId, value });
  return nextAnswer(scene.slack, since);
}

async function fileAfter(act: () => Promise<unknown>): Promise<{ file: FileView; content: string; channel: string }> {
  const since = scene.slack.mark();
  await act();
  const { file, channel } = await scene.slack.next('file_shared', undefined, { since });
  const response = await fetch(new URL(file.downloadPath, scene.slack.apiUrl), {
    headers: { authorization: `Bearer ${scene.slack.botToken}` },
  });
  return { file, content: await response.text(), channel };
}

/** The names in the table of an answer. */
function peopleIn(answer: MessageView): string[] {
  const rows = answer.blocks.flatMap((block) =>
    block['type'] === 'data_table' ? z.array(tableRow).parse(block['rows']) : [],
  );
  return rows.slice(1).map(([person]) => person?.text ?? '');
}

/** The chosen options in the menus of an answer. */
function menusIn(answer: MessageView): (string | undefined)[] {
  const elements = answer.blocks.flatMap((block) =>
    block['type'] === 'actions' ? z.array(menuShape).parse(block['elements']) : [],
  );
  return elements.filter(({ type }) => type === 'static_select').map((menu) => menu.initial_option?.text.text);
}
const menuShape = z.looseObject({
  type: z.string(),
  initial_option: z.object({ text: z.object({ text: z.string() }) }).optional(),
});
const tableRow = z.array(z.looseObject({ text: z.string() }));

/** Adds up a column of a file. */
function sumOfColumn(content: string, title: string): number {
  const [head = '', ...lines] = content.trim().split('\n');
  const at = head.split(',').indexOf(title);
  return lines.reduce((sum, line) => sum + Number(line.split(',')[at]), 0);
}

const TITLES = {
  credits: 'Credits',
  models: 'Models',
  tools: 'Tools',
  activity: 'Activity',
  productivity: 'Productivity',
  moved: 'What moved',
} satisfies Record<Exclude<UsageViewName, 'summary' | 'people' | 'teams'>, string>;

describe('a view', () => {
  withOneApp();

  test.each(Object.entries(TITLES))('“%s” is for all users, and shows a member no names', async (view, title) => {
    const answer = await ask('mia', view);
    expect(answer.text).toContain(`${title}, 23 Feb – 1 Mar`);
    expect(everythingIn(answer)).not.toContain('@acme.example');
    expect(answer.text).toContain('UTC');
    expect(answer.text).toMatch(/; read 2026-03-02 07:00 UTC\./);
  });

  test('of people names all people to a manager, and to no other role', async () => {
    const answer = await ask('morgan', 'people');
    const expected = [...predict(scene.platform.organization, LAST_WEEK).people].filter(([, credits]) => credits > 0);
    expect(answer.text).toContain(`${expected.length} people used`);
    const said = everythingIn(answer).toLowerCase();
    for (const [person] of expected) expect(said).toContain((NAMES[person] ?? person).replace(/^id:/, ''));
    // A person with a Slack account appears by their name there, and not by their e-mail.
    for (const email of Object.keys(NAMES)) expect(said).not.toContain(email);
    const calls = platformCalls();
    expect((await ask('mia', 'people')).text).toContain(onlyFor('manager', 'Figures by person', 'are'));
    expect(platformCalls()).toBe(calls);
  });
});

describe('a view with more to show', () => {
  withOwnApps();

  test('of what moved shows a manager people, teams and changes of the controls', async () => {
    scene.platform.addRevision({ settings: { cloudSessionSync: true }, email: 'ada.admin@acme.example' });
    const answer = await ask('morgan', 'moved this month');
    expect(answer.text).toContain('What moved');
    const older = await ask('morgan', 'moved last week');
    expect(older.text).toContain('By person');
    expect(older.text).toContain('@web-team');
    expect((await ask('morgan', 'moved last week more')).text).toContain('By tool, in calls');
  });

  test('continues with the people that did not fit', async () => {
    await scene.close();
    scene = await startTestApp({ platform: { people: 400 } });
    const answer = await ask('morgan', 'people 7d');
    expect(answer.text).toMatch(/And \d+ more people with [\d.]+ [KM] credits; the CSV lists everyone\./);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'More people');
    const more = await nextAnswer(scene.slack, since);
    const [first, second] = [peopleIn(answer), peopleIn(more)];
    expect(second.length).toBeGreaterThan(0);
    expect(first.filter((name) => second.includes(name))).toEqual([]);
  });
});

describe('an answer', () => {
  withOneApp();

  const ANSWERS = ['', ...VIEWS.filter((view) => view !== 'summary' && view !== 'teams'), 'me', '@web-team'];

  test('has at most eight blocks, and one chart or table, in every view', async () => {
    const tooMuch: string[] = [];
    for (const view of ANSWERS) {
      const { blocks } = await ask('morgan', view);
      const types = blocks.map((block) => String(block['type']));
      const charts = types.filter((type) => type === 'data_visualization').length;
      const figures = types.filter((type) => type.startsWith('data_')).length;
      const mostFigures = view === 'models' ? 2 : 1;
      if (blocks.length > 8 || charts > 1 || figures > mostFigures) tooMuch.push(`${view}: ${types.join(' ')}`);
    }
    expect(tooMuch).toEqual([]);
  });

  test('is followed by its remaining rows on request, and stays', async () => {
    const answer = await ask('morgan');
    expect(answer.text).not.toContain('Top people');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Details');
    const message = await nextAnswer(scene.slack, since);
    expect(message.text).toContain('Details: Usage, 23 Feb – 1 Mar');
    expect(message.text).toContain('Top people');
    expect(message.text).toContain('Credits by day, UTC: Mon 23 Feb: ');
  });

  test('that is shared offers its remaining rows to every reader, each within their rights', async () => {
    const answer = await ask('morgan', '7d');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share');
    const { message } = await scene.slack.next('message', undefined, { since });
    const clicked = scene.slack.mark();
    await clickButton(scene.slack, 'mia', message, 'Details');
    const rest = await nextAnswer(scene.slack, clicked);
    expect(rest.text).toContain('Top models');
    expect(everythingIn(rest)).not.toContain('@acme.example');
  });

  test('of a month is compared with the previous month even if it is shared', async () => {
    const answer = await ask('morgan', 'last month');
    const [, point = ''] = answer.text.split('\n');
    expect(point).toMatch(/^[\d.]+ [KMB] credits/);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share');
    const { message } = await scene.slack.next('message', undefined, { since });
    expect(message.text.split('\n')[1]).toBe(point);
    expect(message.text.includes('Not compared')).toBe(answer.text.includes('Not compared'));
  });
});

describe('the menus under an answer', () => {
  withOneApp();

  test('show the current choice', async () => {
    for (const [text, view, period] of [
      ['', 'Summary', 'Last 7 days'],
      ['models last month', 'Models', 'Last month'],
      ['tools 28d', 'Tools', 'Last 28 days'],
      ['last week', 'Summary', 'Last week'],
    ] as const) {
      const chosen = menusIn(await ask('morgan', text));
      expect(chosen).toEqual([view, period]);
    }
    expect(menusIn(await ask('morgan', '2026-02-03..2026-02-05'))).toEqual(['Summary', undefined]);
  });

  test('show another side, and another period, in place', async () => {
    const answer = await ask('morgan');
    const models = await choose('morgan', answer, 'usage_show_view', 'models 7d');
    expect(models.text).toContain('Models, 23 Feb – 1 Mar');
    const february = await choose('morgan', models, 'usage_show_period', 'models last month');
    expect(february.text).toContain('Models, 1–28 Feb');
  });

  test('offer a member no figures by person, and a forged choice shows none', async () => {
    const answer = await ask('mia');
    expect(JSON.stringify(answer.blocks)).not.toContain('"people 7d"');
    const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
    const since = scene.slack.mark();
    await scene.slack.control.click({
      as: 'mia',
      source,
      actionId: 'usage_show_more',
      forged: { value: 'people 7d' },
    });
    expect((await nextAnswer(scene.slack, since)).text).toContain(onlyFor('manager', 'Figures by person', 'are'));
  });
});

describe('a file', () => {
  withOwnApps();

  test('of people has one row for each day and person, and comes by direct message', async () => {
    const { file, content } = await fileAfter(() => ask('morgan', 'people 7d csv'));
    expect(file.name).toBe('usage-people-2026-02-23-to-2026-03-01.csv');
    expect(sumOfColumn(content, 'Standard Credits')).toBe(predict(scene.platform.organization, LAST_WEEK).credits);
    const { channels } = await scene.slack.control.state({ as: 'morgan' });
    expect(channels.find(({ name }) => name === 'general')?.messages.flatMap(({ files }) => files)).toEqual([]);
  });

  test('of a view is behind its button, and its message names the place', async () => {
    const answer = await ask('mia', 'credits');
    const since = scene.slack.mark();
    const { content } = await fileAfter(() => clickButton(scene.slack, 'mia', answer, 'CSV'));
    expect(content).toContain('Day,Of,Name,Measure,Value');
    expect((await nextAnswer(scene.slack, since)).text).toBe(
      'usage-credits-2026-02-23-to-2026-03-01.csv is in your direct messages with Quartermaster.',
    );
  });

  test.each([
    ['activity', ['activity']],
    ['credits', ['activity', 'tokens']],
    ['models', ['activity', 'tokens']],
    ['tools', ['activity', 'tools']],
    ['productivity', ['activity', 'productivity']],
    ['summary', ['activity', 'productivity', 'tokens']],
  ])('of %s requests its own figures from the platform, and which days are published', async (view, endpoints) => {
    const { content } = await fileAfter(() => ask('mia', `${view} 7d csv`));
    expect(content.split('\n').length).toBeGreaterThan(7);
    const paths = asked(scene.platform).flatMap(({ path }) => path.split('/api/v1/analytics/')[1] ?? []);
    expect([...new Set(paths)].toSorted()).toEqual(endpoints);
  });

  test('of the last days has each of them, even if yesterday is not published', async () => {
    scene.platform.holdDay('2026-03-01');
    const { file, content } = await fileAfter(() => ask('mia', 'activity 7d csv'));
    expect(file.name).toBe('usage-activity-2026-02-22-to-2026-02-28.csv');
    const days = new Set(
      content
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    );
    expect([...days]).toEqual(daysOf({ first: '2026-02-22', last: '2026-02-28' }));
  });

  test('of what moved is the file of the summary, and its message says so', async () => {
    const since = scene.slack.mark();
    const { file } = await fileAfter(() => ask('morgan', 'moved 7d csv'));
    expect(file.name).toBe('usage-summary-2026-02-23-to-2026-03-01.csv');
    const holdsFile = ({ message }: { message: MessageView }) => message.files.length > 0;
    const { message } = await scene.slack.next('message', holdsFile, { since });
    expect(message.text).toContain('There is no file of the changes');
  });

  test('of a view that is closed to a person is refused, and so is the view', async () => {
    for (const text of ['me csv tools', 'tools me', 'models @max']) {
      expect((await ask('morgan', text)).text).toContain('view isn’t available for one person');
    }
  });

  test('of another person is refused to a member', async () => {
    expect((await ask('mia', 'people csv')).text).toContain(onlyFor('manager', 'Figures by person', 'are'));
    expect((await ask('mia', '@max csv')).text).toContain(onlyFor('manager', 'Other people’s figures', 'are'));
  });

  test('is posted into the thread of a shared answer if the bot is in the channel, and it holds no names', async () => {
    await scene.slack.control.invite({ as: 'morgan', channel: 'general', who: 'quartermaster' });
    const answer = await ask('morgan', 'models');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share');
    const { message } = await scene.slack.next('message', undefined, { since });
    const { channel } = await fileAfter(() => clickButton(scene.slack, 'mia', message, 'CSV'));
    expect(channel).toBeDefined();
  });

  test('that took a while replaces its progress message with the place of the file', async () => {
    await scene.slack.control.invite({ as: 'morgan', channel: 'general', who: 'quartermaster' });
    const answer = await ask('morgan', 'models');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share');
    const { message } = await scene.slack.next('message', undefined, { since });
    scene.slack.faults.add({ method: 'files.completeUploadExternal', kind: 'slow', delayMs: 200, times: 1 });
    const clicked = scene.slack.mark();
    await clickButton(scene.slack, 'mia', message, 'CSV');
    expect((await whileTimePasses(scene, nextAnswer(scene.slack, clicked))).text).toBe(
      'usage-models-2026-02-23-to-2026-03-01.csv is in the thread of the message.',
    );
  });

  test('is not sent with a part missing', async () => {
    scene.platform.faults.add({ match: { path: '/api/v1/analytics/productivity' }, kind: 'status', status: 403 });
    const since = scene.slack.mark();
    const answer = await ask('morgan', 'summary csv');
    expect(answer.text).toContain('Ask the server operator for a personal key');
    expect(scene.slack.mark()).toBeGreaterThan(since);
  });
});

describe('reading', () => {
  withOwnApps();

  test('a command that takes over a second shows its progress', async () => {
    // Days with many people are missing; their progress can be shown only while they are being read.
    scene.platform.faults.add({ match: { path: '/api/v1/analytics/users' }, kind: 'slow', delayMs: 450 });
    const since = scene.slack.mark();
    void ask('morgan', 'people 28d');
    const { message } = await whileTimePasses(scene, scene.slack.next('ephemeral', undefined, { since }));
    // On a slow machine, none of them is read after the first second.
    expect(message.text).toMatch(/^Reading(?:: \d+ of)? 28 days …$/);
    await nextAnswer(scene.slack, since);
  });

  test.each(['CSV', 'Details'])('a slow click on %s leaves the answer unchanged', async (label) => {
    const answer = await ask('morgan', 'people 7d');
    scene.platform.faults.add({ match: { path: '/api/v1/analytics/' }, kind: 'slow', delayMs: 200 });
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, label);
    const isAnswer = ({ message }: { message: MessageView }) => /^Details: |in your direct messages/.test(message.text);
    // On a slow machine a progress message comes first, and stays above.
    await whileTimePasses(scene, scene.slack.next(['ephemeral', 'message_updated'], isAnswer, { since }));
    const { channels } = await scene.slack.control.state({ as: 'morgan' });
    const messages = channels.find(({ name }) => name === 'general')?.messages ?? [];
    expect(messages.map(({ text }) => text)).toContain(answer.text);
  });

  test('two concurrent requests cause one set of calls', async () => {
    // Both are reading before anything is answered: later, days that may still change are read again.
    const reading = Promise.withResolvers<void>();
    scene.platform.faults.add({ kind: 'slow', until: reading.promise });
    const since = scene.slack.mark();
    const answers = Promise.all([ask('morgan', 'credits 28d'), ask('ada', 'credits 28d')]);
    const readers = new Set<string>();
    await whileTimePasses(
      scene,
      scene.slack.next(
        'ephemeral',
        ({ to, message }) => message.text.startsWith('Reading') && readers.add(to).size === 2,
        { since },
      ),
    );
    reading.resolve();
    await answers;
    const tokens = scene.platform.requests.filter(({ path }) => path.endsWith('/tokens'));
    // The long history is read by model, and may begin on the same day. The last days may change until tomorrow: who comes
    // to them after the other's answer reads them again.
    const settled = tokens.filter(({ query }) => (query['endDate'] ?? '') < LAST_WEEK.last);
    const ranges = settled.map(({ query }) => JSON.stringify(query));
    expect(ranges.length).toBeGreaterThan(0);
    expect(new Set(ranges).size).toBe(ranges.length);
  });

  test('an answer is built from the store for settled days', async () => {
    await ask('morgan', 'activity 7d');
    const calls = platformCalls();
    await ask('morgan', 'activity 7d');
    expect(platformCalls() - calls).toBeLessThanOrEqual(1);
    scene.platform.reviseDay('2026-02-28', 2);
    const before = predict(scene.platform.organization, LAST_WEEK).credits;
    expect((await ask('morgan', 'credits 7d')).text).not.toContain(`${formatCompact(before)} credits,`);
  });
});
