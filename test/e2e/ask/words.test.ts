import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { shareOf } from '../../support/property-runs.ts';
import { clickButton, everythingIn, typeCommand, nextAnswer } from '../../support/slack/conversation.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp(options);
};
afterEach(() => scene.close());

/** Writes to the bot in direct messages, and returns its answer. */
async function write(as: string, text: string): Promise<MessageView> {
  const since = scene.slack.mark();
  await scene.slack.control.post({ as, channel: 'dm', text });
  return answerIn('message', since);
}

async function answerIn(kind: 'message' | 'ephemeral', since: number): Promise<MessageView> {
  const fromBot = ({ message }: { message: MessageView }) => message.author === 'U0QUARTERMASTER';
  return (await scene.slack.next(kind, fromBot, { since })).message;
}

const labelsOf = ({ blocks }: MessageView) =>
  blocks
    .filter(({ type }) => type === 'actions')
    .flatMap((block) => (Array.isArray(block['elements']) ? block['elements'] : []))
    .map((element) => String(element.text?.text));

describe('a sentence after a command', () => {
  const typed = (as: string, command: string, text: string) => typeCommand(scene.slack, as, command, text);

  test('that it does not understand offers what it may mean, and a click answers it', async () => {
    await start();
    const answer = await typed('mia', '/usage', 'will I run out');
    expect(answer.text).toBe('Unknown word “will”. Did you mean one of these?');
    expect(labelsOf(answer)).toEqual([
      '/usage this month me',
      '/usage this month',
      '/usage models this month me',
      'Help',
    ]);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', answer, '/usage this month me');
    expect((await nextAnswer(scene.slack, since)).text).toMatch(/Usage of Mia Chen/);
  });

  test('offers the form of a change, filled, and changes nothing', async () => {
    await start();
    const answer = await typed('mia', '/limits', 'raise my limit to 5m');
    expect(labelsOf(answer)[0]).toBe('/limits request 5000000');
    expect(labelsOf(await typed('mia', '/computers', 'i need a new computer'))[0]).toBe('/computers create');
  });

  test('that is clear is offered rather than a correction of its first words', async () => {
    await start();
    const answer = await typed('mia', '/readiness', 'is acme/web ready');
    expect(labelsOf(answer)[0]).toBe('/readiness acme/web');
    expect((await typed('morgan', '/usage', 'lsat week me')).text).toContain('Did you mean /usage last week me?');
  });

  test('offers only what the person may use, and nothing for nonsense', async () => {
    await start();
    expect(labelsOf(await typed('mia', '/usage', 'who used the most in october'))).not.toContain(
      '/usage people october',
    );
    expect(labelsOf(await typed('morgan', '/usage', 'who used the most in october'))).toContain(
      '/usage people october',
    );
    for (const nonsense of ['xylophone', 'purple elephants dance', 'hello there', 'delete everything'])
      expect(labelsOf(await typed('mia', '/usage', nonsense))).toEqual(['Help']);
  });

  test('offers nothing if words are turned off', async () => {
    await start({ settings: { WORDS: 'false' } });
    const answer = await typed('mia', '/usage', 'will I run out');
    expect(answer.text).toBe('Unknown word “will”.');
    expect(labelsOf(answer)).toEqual(['Help']);
  });
});

describe('a direct message', () => {
  test('is answered as the command, and says how it was read', async () => {
    await start();
    const answer = await write('mia', 'how much did I use last week?');
    expect(answer.text).toMatch(/^Read as `\/usage last week me`\n.*Usage of Mia Chen, 23 Feb – 1 Mar/);
    expect(everythingIn(answer)).toMatch(/1\.52 M credits/);
    expect(labelsOf(answer).slice(-2)).toEqual(['/usage last week', '/usage models last week me']);
  });

  test('that is unclear shows buttons and no figures', async () => {
    await start();
    const answer = await write('mia', 'my credits on 01/02');
    expect(answer.text).toMatch(/several things/);
    expect(labelsOf(answer)).toHaveLength(2);
    expect(answer.text).not.toMatch(/\d credits/);
    const since = scene.slack.mark();
    await clickFirst(answer);
    expect((await nextAnswer(scene.slack, since)).text).toMatch(/Usage of Mia Chen/);
  });

  test('names channels and new groups instead of their ids, and no private channel', async () => {
    await start();
    await scene.slack.control.setUserGroup({ handle: 'new-squad', members: ['mia', 'max'] });
    const squad = await write('morgan', 'what did @new-squad use last week?');
    expect(squad.text).toMatch(/Read as `\/usage last week @new-squad`/);
    const open = await write('ada', 'only weakening changes of the controls into #general');
    const secret = await write('ada', 'only weakening changes of the controls into #leads');
    expect(open.text).toContain('/controls watch #general weaker');
    expect(secret.text).toContain('/controls watch a private channel weaker');
    for (const message of [squad, open, secret])
      expect([message.text, ...labelsOf(message)].join(' ')).not.toMatch(/\b[CSU]0[A-Z0-9]+/);
  });

  test('that it does not understand shows three examples for the role', async () => {
    await start();
    const member = await write('mia', 'combien de crédits il me reste avant la limite ?');
    expect(member.text).toMatch(/don’t understand/);
    expect(labelsOf(member)).toEqual(['/usage last week me', '/limits', '/readiness']);
    const manager = await write('morgan', 'what is the weather');
    expect(labelsOf(manager)).toEqual(['/usage last week', '/usage moved last month', '/budget']);
  });

  test('that only greets gets a sentence that helps, with three commands for the role', async () => {
    await start();
    for (const [as, text] of [
      ['mia', 'hi'],
      ['morgan', 'thanks!'],
    ] as const) {
      const answer = await write(as, text);
      expect(answer.text).toMatch(/^I answer questions about credits/);
      expect(labelsOf(answer)).toHaveLength(3);
      expect(labelsOf(answer).at(-1)).toBe('/quartermaster');
    }
  });

  test('for a digest gets the button of the filled form', async () => {
    await start();
    await scene.slack.control.setUserGroup({ handle: 'new-squad', members: ['mia', 'max'] });
    const answer = await write('morgan', 'set up a weekly digest for @new-squad in #general');
    expect(answer.text).toMatch(/changes nothing/);
    expect(labelsOf(answer)).toEqual(['/digest new weekly @new-squad #general']);
  });

  test('about tomorrow says that there are no figures yet', async () => {
    await start();
    const answer = await write('mia', 'what will I use tomorrow');
    expect(answer.text).toMatch(/no figures for tomorrow yet/);
    expect(answer.text).not.toMatch(/\d credits/);
  });

  test('for a form of another role gets no button, and the way to the people to ask', async () => {
    await start();
    const answer = await write('mia', 'create a budget for us');
    expect(answer.text).toMatch(/Your role can’t use `\/budget new`/);
    expect(labelsOf(answer)).toEqual([]);
  });

  test('changes nothing: a higher limit gets the button of the form', async () => {
    await start();
    const answer = await write('mia', 'raise my limit to 5 m');
    expect(answer.text).toMatch(/changes nothing/);
    const since = scene.slack.mark();
    await clickFirst(answer);
    expect(textOfView(await nextView(scene.slack, since, /limit/i))).toMatch(/Limit|limit/);
    const removal = await write('morgan', 'pause digest k7m2');
    expect(labelsOf(removal)).not.toContain('/digest pause k7m2');
  });

  test('is refused as the command is, for people without the role', async () => {
    await start();
    const answer = await write('mia', 'who used the most last week?');
    expect(answer.text).toMatch(/for managers and admins/);
    expect(everythingIn(answer)).not.toMatch(/\d K credits/);
  });

  test('of more than 300 characters, or too many in a minute, is answered once in one line', async () => {
    await start();
    expect((await write('mia', `usage ${'last '.repeat(80)}`)).text).toMatch(/too long/);
    for (let count = 0; count < 9; count += 1) await write('mia', 'help');
    expect((await write('mia', 'help')).text).toMatch(/too many questions in one minute. Ask again in \d+ seconds/);
    const since = scene.slack.mark();
    await scene.slack.control.post({ as: 'mia', channel: 'dm', text: 'help' });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    expect((await write('mia', 'help')).text).toMatch(/^I answer questions/);
    const answers = scene.slack.events.since(since).filter(({ kind }) => kind === 'message');
    expect(answers).toHaveLength(3);
  });

  test('of a guest is refused once an hour', async () => {
    await start();
    expect((await write('gus', 'how much did we use?')).text).toMatch(/guest/i);
    const since = scene.slack.mark();
    await scene.slack.control.post({ as: 'gus', channel: 'dm', text: 'how much did we use?' });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 3_600_000));
    expect((await write('gus', 'how much did we use?')).text).toMatch(/guest/i);
    expect(scene.slack.events.since(since).filter(({ kind }) => kind === 'message')).toHaveLength(3);
  });

  test('names its file, and leaves no trace of its text', async () => {
    await start();
    const answer = await write('mia', 'can I get my tools last week as a csv');
    expect(answer.text).toMatch(/Read as `\/usage tools last week me csv`|\.csv/);
    await write('mia', 'xylophone quartet of zanzibar');
    expect(JSON.stringify(scene.log)).not.toMatch(/xylophone|zanzibar/);
  });
});

async function clickFirst(message: MessageView): Promise<void> {
  const block = message.blocks.find(({ type }) => type === 'actions');
  const [element] = Array.isArray(block?.['elements']) ? block['elements'] : [];
  const source = { in: 'message' as const, channel: 'dm', ts: message.ts };
  await scene.slack.control.click({ as: 'mia', source, actionId: String(element?.action_id) });
}

describe('a mention in a channel', () => {
  const mention = async (text: string, threadTs?: string) => {
    const since = scene.slack.mark();
    const place = threadTs === undefined ? {} : { threadTs };
    await scene.slack.control.post({ as: 'morgan', channel: 'agent-usage', text: `@Quartermaster ${text}`, ...place });
    return answerIn('ephemeral', since);
  };

  test('is answered only to the person, with Share', async () => {
    await start();
    const answer = await mention('how much did we use last week?');
    expect(answer.text).toMatch(/Read as `\/usage last week`/);
    expect(labelsOf(answer)).toContain('Share');
  });

  test('in a thread is answered in the thread', async () => {
    await start();
    const since = scene.slack.mark();
    await scene.slack.control.post({ as: 'morgan', channel: 'agent-usage', text: 'look at this' });
    const { message } = await scene.slack.next('message', ({ message: one }) => one.text === 'look at this', { since });
    expect((await mention('usage last week', message.ts)).threadTs).toBe(message.ts);
  });
});

describe('an event', () => {
  const send = (event: Record<string, unknown>) =>
    scene.slack.control.sendPayload({ kind: 'event', body: { type: 'event_callback', event } });
  const dm = (scene2: TestApp) => scene2.slack.workspace.directChannel('U0MIA')?.id ?? '';
  const message = () => ({
    type: 'message',
    channel_type: 'im',
    channel: dm(scene),
    user: 'U0MIA',
    text: 'help',
    ts: `${scene.clock.now().getTime() / 1000}.000100`.replace(/\.\d+\./, '.'),
  });
  const answered = async (events: readonly Record<string, unknown>[]) => {
    const since = scene.slack.mark();
    for (const event of events) await send(event);
    await expect.poll(() => scene.app.isIdle()).toBe(true);
    return scene.slack.events.since(since).filter(({ kind }) => kind === 'message').length;
  };

  test('that Slack repeats is answered once', async () => {
    await start();
    await write('mia', 'help');
    const event = message();
    expect(await answered([event, event, event])).toBe(1);
  });

  test('of a bot, of an edit, of another subtype or of six minutes ago is not answered', async () => {
    await start();
    await write('mia', 'help');
    const old = `${Math.floor(scene.clock.now().getTime() / 1000) - 360}.000200`;
    const events = [
      { ...message(), bot_id: 'B1' },
      { ...message(), user: 'U0QUARTERMASTER' },
      { ...message(), subtype: 'message_changed' },
      { ...message(), edited: { user: 'U0MIA', ts: '1.2' } },
      { ...message(), ts: old },
      { ...message(), channel_type: 'channel' },
    ];
    expect(await answered(events)).toBe(0);
  });
});

test('without WORDS, messages stay unanswered', async () => {
  await start({ settings: { WORDS: 'false' } });
  const since = scene.slack.mark();
  await scene.slack.control.post({ as: 'mia', channel: 'dm', text: 'help' });
  await expect.poll(() => scene.app.isIdle()).toBe(true);
  expect(scene.slack.events.since(since).filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

/** The rows of the tables that change when people do something; others hold caches, counts and who saw figures. */
async function changedByPeople(): Promise<Record<string, number>> {
  const db = readDatabase(scene.databaseUrl);
  try {
    const counts: Record<string, number> = {};
    for (const table of CHANGED_BY_PEOPLE) {
      const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.table(table)}`.execute(
        db,
      );
      counts[table] = Number(rows[0]?.count);
    }
    return counts;
  } finally {
    await db.destroy();
  }
}
const CHANGED_BY_PEOPLE = [
  'audit',
  'subscriptions',
  'channel_subscriptions',
  'budgets',
  'limit_requests',
  'limit_ledger',
  'declared_limits',
  'limit_policies',
  'limit_approver_rules',
  'credit_prices',
  'computer_orders',
  'hook_inboxes',
  'hook_tokens',
  'mcp_tokens',
  'usage_teams',
];

test('after the given questions, nothing has changed', async () => {
  await start();
  const lines = readFileSync(new URL('../../features/ask/words/given-questions.jsonl', import.meta.url), 'utf8').split(
    '\n',
  );
  const questions = lines.filter((line) => line !== '').map((line) => String(JSON.parse(line).text));
  const writes = () => scene.platform.requests.filter(({ method }) => method !== 'GET').length;
  const before = { writes: writes(), rows: await changedByPeople() };
  for (const [index, text] of shareOf(questions).entries()) {
    if (index % 10 === 0) await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    await write('ada', text);
  }
  expect({ writes: writes(), rows: await changedByPeople() }).toEqual(before);
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const posted = channels.filter(({ kind }) => kind !== 'dm').flatMap(({ messages }) => messages);
  expect(posted.filter(({ author }) => author === 'U0QUARTERMASTER')).toEqual([]);
}, 300_000);

test.each([
  ['my_usage', /Usage of Mia Chen/],
  ['request_limit', /Request a (?:credit )?limit|New limit/i],
  ['of_another_manifest', /Quartermaster/],
])('the shortcut %s opens its window', async (callbackId, words) => {
  await start();
  await typeCommand(scene.slack, 'mia', '/usage', 'help');
  const sent = scene.slack.traffic.latest(500).find(({ method }) => method === 'slash_commands');
  const trigger: unknown = Object(sent?.request)['trigger_id'];
  const since = scene.slack.mark();
  const body = { type: 'shortcut', user: { id: 'U0MIA' }, callback_id: callbackId, trigger_id: trigger };
  await scene.slack.control.sendPayload({ kind: 'block_actions', body });
  expect(textOfView(await nextView(scene.slack, since, words))).toMatch(words);
});
