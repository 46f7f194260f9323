import { afterEach, describe, expect, test } from 'vitest';
import { TOOLS } from '../../../src/features/ask/mcp/tools.ts';
import type { ToolAnswer } from '../../../src/sandbox/slackbot/slackbot.ts';
import { callForClick, elementsIn, faultsOfBlocks } from '../../../src/sandbox/slackbot/slackbot-blocks.ts';
import { identityOf, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { textOfView } from '../../support/slack/modals.ts';
import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import type { TestAppOptions } from '../../support/test-app.ts';

let scene: ToolsScene;
const start = async (options: TestAppOptions = {}) => {
  scene = await startToolsApp(options);
  return scene;
};
afterEach(async () => {
  await scene.close();
});

const ask = (slackId: string, tool: string, words: Record<string, string> = {}) =>
  scene.slackbot.call(tool, words, identityOf(slackId));
const textOf = ({ content }: ToolAnswer) => content.map(({ text }) => text).join('\n');
const blocksOf = (answer: ToolAnswer) => answer._meta?.slack.blocks ?? [];

type Call = readonly [slackId: string, tool: string, words: Record<string, string>];

/** Corrections, refusals for the role or the group, and what only Slack itself does. */
const REFUSED: readonly Call[] = [
  ['U0MORGAN', 'usage', { period: 'last wek' }],
  ['U0MORGAN', 'usage', { side: 'modles' }],
  ['U0MORGAN', 'usage', { subject: 'web-taem' }],
  ['U0MORGAN', 'usage', { period: 'january vs nonsense' }],
  ['U0MIA', 'usage', { subject: 'Nora Lindqvist' }],
  ['U0MIA', 'usage', { side: 'people' }],
  ['U0GUS', 'usage', {}],
  ['U0MORGAN', 'limits', { subject: 'request 5m' }],
  ['U0MIA', 'budgets', {}],
  ['U0MIA', 'controls', {}],
  ['U0MIA', 'explain_digest', {}],
  ['U0MORGAN', 'what_moved', { period: 'csv' }],
];

const shapeOf = ([slackId, tool, words]: Call) => `${tool} ${JSON.stringify(words)} of ${slackId}`;

/** Every argument with each kind of value that its command knows. */
function shapesOfCalls(): Call[] {
  const periods = ['', 'yesterday', '7d', 'last month', 'february', 'since feb 20', '2026-02-03..2026-02-09', 'q1'];
  const sides = ['', 'summary', 'credits', 'models', 'tools', 'activity', 'productivity', 'people', 'teams', 'moved'];
  const subjects = ['', 'me', 'Nora Lindqvist', 'max.member@acme.example', '@web-team'];
  const comparisons = ['january vs february', '@web-team vs @platform-leads', 'atlas-large vs atlas-small last month'];
  const usage = [
    ...periods.map((period) => ({ side: 'models', period })),
    ...sides.flatMap((side) => subjects.map((subject) => ({ side, subject, period: 'last week' }))),
  ];
  const ofManager: [string, Record<string, string>][] = [
    ...usage.map((words): [string, Record<string, string>] => ['usage', words]),
    ...comparisons.map((period): [string, Record<string, string>] => ['usage', { period }]),
    ['usage', { period: 'january vs february', subject: '@web-team' }],
    ...['me', 'Mia Chen', 'nora.member@acme.example'].map((subject): [string, Record<string, string>] => [
      'limits',
      { subject },
    ]),
    ['budgets', { id: 'settings' }],
    ['computers', { name: 'nowhere' }],
    ...['acme/web', 'acme/nothing'].map((repository): [string, Record<string, string>] => [
      'readiness',
      { repository },
    ]),
    ...['explain_digest', 'controls', 'what_moved'].flatMap((tool) =>
      ['last week', 'february', 'yesterday', 'nonsense'].map((period): [string, Record<string, string>] => [
        tool,
        { period },
      ]),
    ),
  ];
  const ownCalls: Call[] = TOOLS.flatMap(({ name }) => ['U0MIA', 'U0ADA'].map((slackId): Call => [slackId, name, {}]));
  return [
    ...ownCalls,
    ...['', 'me'].flatMap((subject) => periods.map((period): Call => ['U0MIA', 'usage', { subject, period }])),
    ...ofManager.map(([tool, words]): Call => ['U0MORGAN', tool, words]),
    ...REFUSED,
  ];
}

/** What of an answer Slackbot would not show, or could not use. */
function faultsOf(answer: ToolAnswer): string[] {
  const blocks = blocksOf(answer);
  if (answer.isError === true) return answer.structuredContent || blocks.length > 0 ? ['a refusal with figures'] : [];
  const inert = elementsIn(blocks).filter((one) => one['url'] === undefined && callForClick(one) === undefined);
  return [
    ...(blocks.length === 0 ? ['no blocks'] : []),
    ...faultsOfBlocks(blocks),
    ...inert.map((one) => `an inert button ${String(one['action_id'])}`),
  ];
}

const callsOf = (answer: ToolAnswer) => elementsIn(blocksOf(answer)).flatMap((one) => callForClick(one) ?? []);

describe('an answer for Slackbot', () => {
  test('has only blocks that Slackbot shows, at most two charts, and no button of a command', async () => {
    await start();
    await scene.slackbot.initialize();
    for (const { name } of TOOLS) expect([name, faultsOf(await ask('U0MORGAN', name))]).toEqual([name, []]);
  });

  test('is so for each shape of arguments; a refusal has no blocks, and no button is refused to its reader', async () => {
    await start({
      settings: {
        MCP_PEOPLE: 'true',
        MIN_GROUP: '2',
        BUDGET_CREDITS: '40000000',
        BUDGET_CHANNEL: '#agent-usage',
        LIMIT_PERIOD: 'month',
      },
    });
    await scene.slackbot.initialize();
    // One person may ask 30 times a minute.
    const letSecondsPass = () => moveClock(scene, new Date(scene.clock.now().getTime() + 2_000));
    const shapes = shapesOfCalls();
    const refused = new Set<string>();
    const clicked = new Set<string>();
    for (const [slackId, tool, words] of shapes) {
      const answer = await ask(slackId, tool, words);
      const shape = shapeOf([slackId, tool, words]);
      expect([shape, faultsOf(answer)]).toEqual([shape, []]);
      if (answer.isError === true) refused.add(shape);
      await letSecondsPass();
      for (const call of callsOf(answer)) {
        const click = shapeOf([slackId, call.tool, call.words]);
        if (clicked.has(click)) continue;
        clicked.add(click);
        const next = await ask(slackId, call.tool, call.words);
        expect([shape, click, faultsOf(next), next.isError]).toEqual([shape, click, [], undefined]);
        await letSecondsPass();
      }
    }
    expect(clicked.size).toBeGreaterThan(20);
    expect(REFUSED.map(shapeOf).filter((shape) => !refused.has(shape))).toEqual([]);
    expect(refused.size).toBeLessThan(shapes.length / 3);
  });

  test('leads on to another period, the models and the details, and each click says what it shows', async () => {
    await start();
    await scene.slackbot.initialize();
    const labels = (answer: ToolAnswer) => elementsIn(blocksOf(answer)).map(({ text }) => JSON.stringify(text));
    const first = await ask('U0MORGAN', 'usage', { period: 'last week' });
    expect(labels(first).join()).toMatch(/Last month.*More.*By model|Last month.*By model.*More/);
    const commands: unknown[] = [];
    for (const { tool, words } of callsOf(first)) {
      const next = await ask('U0MORGAN', tool, words);
      commands.push(next.structuredContent?.['command']);
      expect(callsOf(next).length).toBeGreaterThan(0);
    }
    expect(commands).toEqual(['/usage last month', '/usage models last week', '/usage more last week']);
    const own = await ask('U0MIA', 'usage', { subject: 'me' });
    expect(labels(own).join()).not.toMatch(/By model/);
  });

  test('has buttons only after Slackbot said that it calls tools for clicks, and until it says otherwise', async () => {
    await start();
    expect(callsOf(await ask('U0MIA', 'will_i_run_out'))).toEqual([]);
    expect(blocksOf(await ask('U0MIA', 'will_i_run_out'))).not.toEqual([]);
    await scene.slackbot.initialize();
    expect(callsOf(await ask('U0MIA', 'will_i_run_out'))).toEqual([
      { tool: 'usage', words: { period: 'last month', subject: 'me' } },
      { tool: 'limits', words: { subject: 'me' } },
    ]);
  });

  test('names its days, its state and its source, and its numbers as data', async () => {
    await start();
    const answer = await ask('U0MORGAN', 'usage', { side: 'models', period: 'last week' });
    expect(textOf(answer)).toMatch(/23 Feb – 1 Mar/);
    expect(textOf(answer)).toMatch(/UTC days; 2 days may still change; read 2026-03-02 07:00 UTC/);
    expect(answer.structuredContent).toMatchObject({ command: '/usage models last week', unit: 'Standard Credits' });
    const tables = answer.structuredContent?.['tables'];
    expect(JSON.stringify(tables)).toMatch(/atlas-large/);
    expect(JSON.stringify(tables)).toMatch(/"value":\d+,"text":"[\d.,]+[^"]*"/);
  });

  test('names no credits where the numbers are none', async () => {
    await start();
    for (const [tool, words] of [
      ['readiness', {}],
      ['computers', {}],
      ['usage', { side: 'tools' }],
    ] as const) {
      const { structuredContent } = await ask('U0MORGAN', tool, words);
      expect(structuredContent).toBeDefined();
      expect(structuredContent).not.toHaveProperty('unit');
    }
  });

  test('names people and groups instead of ids of Slack', async () => {
    await start();
    const texts = await Promise.all(TOOLS.map(async ({ name }) => textOf(await ask('U0MIA', name))));
    expect(texts.join('\n')).toMatch(/@Ada Okafor/);
    expect(texts.join('\n')).not.toMatch(/<[@!#]|\bU0[A-Z]/);
  });

  test('has the command as a person types it', async () => {
    await start({ settings: { MCP_PEOPLE: 'true', MIN_GROUP: '2' } });
    const { structuredContent: ofTeam } = await ask('U0MORGAN', 'usage', { subject: 'web-team' });
    expect(ofTeam?.['command']).toBe('/usage @web-team');
    const { structuredContent: ofPerson } = await ask('U0MORGAN', 'usage', { subject: '<@U0MIA>' });
    expect(ofPerson?.['command']).toBe('/usage @Mia Chen');
  });
});

describe('the words of a tool', () => {
  test.each([
    [{ period: 'last wek' }, /Did you mean \/usage last week\?/],
    [{ subject: 'web-taem' }, /Did you mean @web-team\?/],
    [{ side: 'modles' }, /Did you mean \/usage models\?/],
    [{ subject: 'x'.repeat(150) }, /too long/],
  ])('%j is answered with a correction and no figures', async (words, sentence) => {
    await start();
    const answer = await ask('U0MORGAN', 'usage', words);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.structuredContent).toBeUndefined();
    expect(textOf(answer)).toMatch(sentence);
  });

  test('change nothing, whatever they say', async () => {
    await start();
    const writes = () => scene.platform.requests.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    const posts = scene.slack.mark();
    const tried: [string, Record<string, string>][] = [
      ['limits', { subject: 'request me 5000000' }],
      ['limits', { subject: 'import' }],
      ['budgets', { id: 'x remove' }],
      ['controls', { period: 'watch #general' }],
      ['explain_digest', { period: 'now' }],
      ['readiness', { repository: 'watch' }],
      ['readiness', { repository: 'csv' }],
      ['usage', { period: 'csv' }],
      ['usage', { period: 'watch' }],
      ['usage', { side: 'notify' }],
    ];
    for (const [tool, words] of tried) {
      const answer = await ask('U0ADA', tool, words);
      expect([tool, words, answer.isError]).toEqual([tool, words, true]);
    }
    expect(writes()).toBe(before);
    expect(scene.slack.events.since(posts).filter(({ kind }) => kind === 'message')).toEqual([]);
  });
});

test('a higher limit is requested in Slack, and the answer says how', async () => {
  await start();
  const answer = await ask('U0MIA', 'limits', { subject: 'request 5m' });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toMatch(/type.? \/limits request in Slack/);
});

test('whether one runs out is answered before the first day of the month is published', async () => {
  await start({ at: new Date('2026-04-01T09:00:00Z'), settings: { LIMIT_PERIOD: 'month' } });
  await setLimit(scene, { email: 'mia.member@acme.example', value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  const answer = await ask('U0MIA', 'will_i_run_out');
  expect(answer.isError).toBeUndefined();
  expect(textOf(answer)).toMatch(/April:\*? no figures yet\. At your recent pace, your 900 M is enough/);
});

describe('figures of other people', () => {
  test('are hidden without telling the model an e-mail that only Slack knows', async () => {
    await start();
    const asked: [tool: string, words: Record<string, string>][] = [
      ['usage', { subject: 'Nora Lindqvist' }],
      ['usage', { subject: 'nora', period: 'last week' }],
      ['usage', { subject: 'nora', side: 'credits' }],
      ['usage', { subject: '<@U0NORA>' }],
      ['usage', { subject: 'Nora Lindqvist', period: 'last wek' }],
      ['limits', { subject: 'Nora Lindqvist' }],
      ['limits', { subject: '@nora' }],
      ['will_i_run_out', { subject: 'Nora Lindqvist' }],
    ];
    for (const slackId of ['U0MIA', 'U0MORGAN', 'U0ADA'])
      for (const [tool, words] of asked) {
        const answer = await ask(slackId, tool, words);
        expect([slackId, tool, words, JSON.stringify(answer)]).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/nora\.[\w.]+@|@acme\.example/)]),
        );
      }
  });

  test('are hidden from tools, with the reason, and shown with MCP_PEOPLE=true', async () => {
    await start();
    for (const [tool, words] of [
      ['usage', { subject: 'Mia Chen' }],
      ['usage', { side: 'people' }],
      ['limits', { subject: 'Mia Chen' }],
    ] as const) {
      const hidden = await ask('U0MORGAN', tool, words);
      expect(hidden).toMatchObject({ isError: true });
      expect(textOf(hidden)).toMatch(/aren’t shown here, because a model reads this answer.*type \/(usage|limits)/);
    }
    await scene.close();
    await start({ settings: { MCP_PEOPLE: 'true' } });
    expect(textOf(await ask('U0MORGAN', 'usage', { subject: 'Mia Chen' }))).toMatch(/Usage of .*Mia|mia\.member/);
    expect((await ask('U0MORGAN', 'usage', { side: 'people' })).isError).toBeUndefined();
    const member = await ask('U0MIA', 'usage', { subject: 'Nora Lindqvist' });
    expect(textOf(member)).toMatch(/for managers and admins/);
  });

  test('appear in *Who saw my figures* as an answer of a tool', async () => {
    await start({ settings: { MCP_PEOPLE: 'true' } });
    await ask('U0MORGAN', 'usage', { subject: 'Mia Chen' });
    const since = scene.slack.mark();
    await scene.slack.control.openHome({ as: 'mia' });
    const isReady = ({ view }: { view: ViewView }) => !textOfView(view).includes('One moment …');
    const { view } = await scene.slack.next('home_published', isReady, { since });
    expect(textOfView(view)).toMatch(/an answer in Slackbot/);
  });

  test('are no reason for a refusal that has another one', async () => {
    await start();
    const refused = await ask('U0MORGAN', 'usage', { side: 'models', subject: '@web-team' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).not.toMatch(/a model reads this answer/);
  });

  test('are named in corrections only to readers who may see them', async () => {
    await start();
    expect(textOf(await ask('U0MORGAN', 'usage', { subject: 'Mai Chen' }))).not.toMatch(/Mia|@acme/);
    expect(textOf(await ask('U0GUS', 'usage', { subject: 'Mai Chen' }))).toMatch(/[Gg]uest/);
    await scene.close();
    await start({ settings: { MCP_PEOPLE: 'true' } });
    expect(textOf(await ask('U0MORGAN', 'usage', { subject: 'Mai Chen' }))).toMatch(/Did you mean Mia Chen\?/);
    expect(textOf(await ask('U0MIA', 'usage', { subject: 'Mai Weber' }))).not.toMatch(/Max Weber/);
  });

  test.each(['command', 'tool', 'words'])(
    'of a group, once shown by %s, keep the difference of one person private',
    async (first) => {
      await start({ settings: { MIN_GROUP: '3', PEOPLE_ROLE: 'admin' } });
      const all = ['mia', 'max', 'nora', 'ada', 'morgan'];
      await scene.slack.control.setUserGroup({ handle: 'web-team', members: all });
      await scene.slack.control.setUserGroup({ handle: 'mobile-squad', members: all.slice(1) });
      const ways: Record<string, (group: string) => Promise<string>> = {
        command: async (group) => (await typeCommand(scene.slack, 'morgan', '/usage', `last week @${group}`)).text,
        tool: async (group) => textOf(await ask('U0MORGAN', 'usage', { period: 'last week', subject: `@${group}` })),
        words: async (group) => {
          const since = scene.slack.mark();
          await scene.slack.control.post({
            as: 'morgan',
            channel: 'dm',
            text: `how much did @${group} use last week?`,
          });
          const isAnswer = ({ message }: { message: MessageView }) => message.author === 'U0QUARTERMASTER';
          return (await scene.slack.next('message', isAnswer, { since })).message.text;
        },
      };
      expect(await ways[first]?.('web-team')).toMatch(/credits/);
      for (const way of Object.values(ways)) expect(await way('mobile-squad')).toMatch(/stay private/);
    },
  );
});

describe('too many questions', () => {
  test('of one person are refused until the minute is over, and those of others answered', async () => {
    await start();
    const answers = [];
    for (let count = 0; count < 31; count += 1) answers.push(await ask('U0MIA', 'limits', { subject: 'me' }));
    expect(answers.filter(({ isError }) => isError)).toHaveLength(1);
    expect(textOf(answers.at(-1) ?? { content: [] })).toMatch(/Ask again in \d+ seconds/);
    expect((await ask('U0MORGAN', 'limits', { subject: 'me' })).isError).toBeUndefined();
    // A client that keeps asking uses up nothing of the 300 for all people.
    await Promise.all(Array.from({ length: 300 }, () => ask('U0MIA', 'limits', { subject: 'me' })));
    expect((await ask('U0MORGAN', 'limits', { subject: 'me' })).isError).toBeUndefined();
    await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    expect((await ask('U0MIA', 'limits', { subject: 'me' })).isError).toBeUndefined();
  });
});

describe('an unsteady platform', () => {
  test('is answered from what is stored, with its time', async () => {
    await start();
    const before = await ask('U0MORGAN', 'usage', { period: 'last week' });
    scene.platform.faults.add({ match: { path: '/api/v1/analytics' }, kind: 'status', status: 503 });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 3_600_000));
    const later = await whileTimePasses(scene, ask('U0MORGAN', 'usage', { period: 'last week' }));
    const figures = /9\.87 M credits/;
    expect(textOf(before)).toMatch(figures);
    expect(textOf(before)).not.toMatch(/doesn’t answer/);
    expect(textOf(later)).toMatch(figures);
    expect(textOf(later)).toMatch(/read 2026-03-02 07:00 UTC; the platform doesn’t answer now/);
  });
});

test('the metrics count the questions of each client and tool', async () => {
  await start();
  await ask('U0MIA', 'usage');
  const metrics = await (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/kind="question",name="slackbot:usage",outcome="answered"/);
});
