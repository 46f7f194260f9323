import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import type { OutgoingMessage } from '../../../src/core/outbox/poster.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { chart, dataTable, message } from '../../../src/core/slack/blocks/blocks.ts';
import { createChannels } from '../../../src/core/slack/outbound/channels/channels.ts';
import { clipForEdit, createChartSupport, sendFullestForm } from '../../../src/core/slack/outbound/safe-message.ts';
import { createSlackClients, type SlackClients } from '../../../src/core/slack/client/clients.ts';
import { createFiles } from '../../../src/core/slack/outbound/files.ts';
import { createPeople } from '../../../src/core/slack/people/people.ts';
import { createPoster } from '../../../src/core/slack/outbound/poster.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const log = createLogger('fatal', []);
const DAY_MS = 24 * 60 * 60_000;

let slack: SandboxSlack;
let clock: MovableClock;
let clients: SlackClients;
beforeEach(async () => {
  clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  slack = await startSlack({ clock });
  clients = createSlackClients(slack.botToken, slack.apiUrl, log);
});
afterEach(async () => {
  await slack.close();
  clock.dispose();
});

const withChart = message(markup`12 credits`, [
  chart({ kind: 'bar', title: 'Credits', categories: ['Mon'], series: [{ name: 'Credits', values: [12] }] }),
  dataTable({ caption: 'Credits', columns: ['Day'], rows: [['Mon']] }),
]);
const makePoster = () =>
  createPoster({
    ...clients,
    botUserId: 'U0QUARTERMASTER',
    charts: createChartSupport(clock),
    channels: createChannels({ ...clients, clock, allowShared: false }),
    log,
  });
const messages = async (name: string, as = 'ada') => {
  const { channels } = await slack.control.state({ as });
  return channels.find((channel) => (name === 'dm' ? channel.kind === 'dm' : channel.name === name))?.messages ?? [];
};

describe('a workspace that refuses charts', () => {
  const posts = () => slack.traffic.latest().filter(({ method }) => method === 'chat.postMessage').length;

  test('gets its tables at once from the second message on, and gets a chart again after a day', async () => {
    await slack.control.configure({ chartsSupported: false });
    const poster = makePoster();
    await poster.post('C0USAGE', 'a', withChart);
    expect(posts()).toBe(2);
    await poster.post('C0USAGE', 'b', withChart);
    expect(posts()).toBe(3);
    await slack.control.configure({ chartsSupported: true });
    clock.moveTo(new Date(clock.now().getTime() + DAY_MS));
    await poster.post('C0USAGE', 'c', withChart);
    const types = (await messages('agent-usage')).map(({ blocks }) => blocks.map((block) => block['type']));
    expect(types).toEqual([['data_table'], ['data_table'], ['data_visualization', 'data_table']]);
  });

  test('is not assumed because of a message that is refused for another reason', async () => {
    const charts = createChartSupport(clock);
    const send = (form: OutgoingMessage) =>
      Promise.resolve({ areBlocksRefused: form.blocks !== undefined, outcome: mrkdwnOf(form.text) });
    expect(await sendFullestForm(withChart, { charts, log }, send)).toBe('12 credits');
    expect(charts.isLikely()).toBe(true);
  });
});

test('Messages to several channels that wait for a rate limit ask about their readers once', async () => {
  const channels = createChannels({ ...clients, clock, allowShared: false });
  const questions = () => slack.traffic.latest().filter(({ method }) => method === 'conversations.info').length;
  expect(await channels.checkReaders('C0GENERAL')).toEqual({ kind: 'allowed' });
  await slack.control.addFault({ method: 'conversations.info', kind: 'rate_limited', retryAfter: 0 });
  for (const channel of ['C0USAGE', 'C0RANDOM', 'C0USAGE'])
    expect(await channels.checkReaders(channel)).toMatchObject({ kind: 'later' });
  expect(await channels.publicName('C0RANDOM')).toBeUndefined();
  expect(await channels.nameIfPostable('C0USAGE')).toBeUndefined();
  expect(questions()).toBe(2);
  expect(await channels.checkReaders('C0GENERAL')).toEqual({ kind: 'allowed' });
  await slack.control.clearFaults({});
  clock.moveTo(new Date(clock.now().getTime() + 2_000));
  expect(await channels.checkReaders('C0USAGE')).toEqual({ kind: 'allowed' });
  expect(questions()).toBe(3);
});

describe('a message of the outbox', () => {
  test('answers in a thread, and is found there by its key', async () => {
    const poster = makePoster();
    const first = await poster.post('U0MIA', 'first', { text: markup`digest` });
    if (first.kind !== 'posted') throw new Error('not posted');
    const thread = { channel: first.channel, ts: first.ts };
    await poster.post('U0MIA', 'reply', { text: markup`more`, replyTo: thread });
    const [, reply] = await messages('dm', 'mia');
    expect(reply).toMatchObject({ text: 'more', threadTs: first.ts });
    const oldest = new Date('2026-03-02T08:00:00Z');
    expect(await poster.find({ channel: 'U0MIA', thread }, 'reply', oldest)).toMatchObject({ kind: 'found' });
    expect(await poster.find({ channel: 'U0MIA', thread }, 'other', oldest)).toEqual({ kind: 'absent' });
    expect(await poster.find({ channel: 'U0MIA', thread: undefined }, 'reply', oldest)).toEqual({ kind: 'absent' });
  });

  test('is edited, with a text that chat.update accepts and without the old blocks', async () => {
    const poster = makePoster();
    const posted = await poster.post('C0USAGE', 'a', withChart);
    if (posted.kind !== 'posted') throw new Error('not posted');
    const long = '漢字🙂'.repeat(3_000);
    expect(await poster.edit(posted, { text: markup`${long}` })).toMatchObject({ kind: 'posted' });
    const [edited] = await messages('agent-usage');
    expect(edited?.isEdited).toBe(true);
    expect(edited?.blocks).toEqual([]);
    expect(edited?.metadata?.event_payload['key']).toBe('a');
    expect(Buffer.byteLength(clipForEdit(long))).toBeLessThanOrEqual(4_000);
    expect(clipForEdit(long)).not.toContain('\uFFFD');
  });

  test('is edited again later after an unknown outcome of an edit, and refused if it is gone', async () => {
    const poster = makePoster();
    const posted = await poster.post('C0USAGE', 'a', { text: markup`digest` });
    if (posted.kind !== 'posted') throw new Error('not posted');
    await slack.control.addFault({ method: 'chat.update', kind: 'lost_answer', times: 1 });
    expect(await poster.edit(posted, { text: markup`new` })).toMatchObject({ kind: 'later' });
    expect(await poster.edit({ channel: posted.channel, ts: '1.1' }, { text: markup`new` })).toMatchObject({
      kind: 'refused',
      code: 'message_not_found',
    });
  });
});

describe('a file', () => {
  test('is sent to a person by direct message, and into a thread', async () => {
    const files = createFiles(clients, () => Promise.resolve(), { recent: () => undefined });
    const file = { name: 'usage.csv', title: 'Usage', content: 'day,credits\n', comment: markup`As asked for.` };
    await files.send({ ...file, to: { person: { slackId: 'U0MIA', email: 'mia@acme.example', seesPeople: false } } });
    const [direct] = await messages('dm', 'mia');
    expect(direct).toMatchObject({
      text: 'As asked for.',
      files: [{ name: 'usage.csv', title: 'Usage', sizeBytes: 15 }],
    });
    const thread = await slack.control.post({ as: 'mia', channel: 'agent-usage', text: 'And here?' });
    await files.send({ ...file, content: Buffer.from('x'), to: { channel: 'C0USAGE', threadTs: thread.ts } });
    const [, reply] = await messages('agent-usage');
    expect(reply).toMatchObject({ threadTs: thread.ts, files: [{ name: 'usage.csv' }] });
  });
});

test.each([
  ['usage.csv', 'Größe,Ω\n', 'efbbbf'],
  ['Usage.CSV', Buffer.from('Größe,Ω\n'), 'efbbbf'],
  ['marked.csv', '\ufeffGröße,Ω\n', 'efbbbf'],
  ['session.md', 'Größe,Ω\n', ''],
])(
  'the file %s begins with the mark by which Excel knows its letters, if it is a table',
  async (name, content, mark) => {
    const files = createFiles(clients, () => Promise.resolve(), { recent: () => undefined });
    const since = slack.mark();
    await files.send({ name, title: 'T', content, comment: markup`Here.`, to: { channel: 'C0USAGE' } });
    const { file } = await slack.next('file_shared', undefined, { since });
    const response = await fetch(new URL(file.downloadPath, slack.apiUrl), {
      headers: { authorization: `Bearer ${slack.botToken}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer()).toString('hex');
    expect(bytes).toBe(mark + Buffer.from('Größe,Ω\n').toString('hex'));
  },
);

describe('the known facts about all people', () => {
  type References = Parameters<typeof createPeople>[0]['managers'];
  const makePeople = (admins?: References, managers: References = []) =>
    createPeople({ ...clients, clock, log, teamId: 'T0ACME', admins, managers, peopleRole: 'manager' });

  test('are the teams with the e-mails of their members, requested once an hour', async () => {
    const people = makePeople();
    const asked = () => slack.traffic.latest().filter(({ method }) => method === 'usergroups.list').length;
    expect(await people.teams()).toContainEqual({
      id: 'S0WEB',
      handle: 'web-team',
      members: ['U0MIA', 'U0NORA'],
      emails: ['mia.member@acme.example', 'nora.member@acme.example'],
    });
    await people.teams();
    expect(asked()).toBe(1);
    clock.moveTo(new Date(clock.now().getTime() + 61 * 60_000));
    await people.teams();
    expect(asked()).toBe(2);
  });

  test('lack the teams while Slack does not list them', async () => {
    await slack.control.addFault({ method: 'usergroups.list', kind: 'error', error: 'missing_scope', times: 1 });
    const people = makePeople();
    expect(await people.teams()).toEqual([]);
    expect(await people.teams()).toHaveLength(2);
  });

  test('include the handle of a group that is new, and ask for one that Slack lacks once in a minute', async () => {
    const people = makePeople();
    expect(await people.groupHandle('S0WEB')).toBe('web-team');
    for (const handle of ['new-squad', 'newer-squad']) {
      const { id } = await slack.control.setUserGroup({ handle, members: ['mia'] });
      expect(await people.groupHandle(id)).toBe(handle);
    }
    const asked = () => slack.traffic.latest().filter(({ method }) => method === 'usergroups.list').length;
    const before = asked();
    for (let times = 0; times < 3; times += 1) expect(await people.groupHandle('S0NOBODY')).toBeUndefined();
    expect(asked()).toBe(before + 1);
    clock.moveTo(new Date(clock.now().getTime() + 61_000));
    for (let times = 0; times < 3; times += 1) expect(await people.groupHandle('S0NOBODY')).toBeUndefined();
    expect(asked()).toBe(before + 2);
  });

  test('include the admins: those of the settings, or the workspace’s', async () => {
    expect(await makePeople().admins()).toEqual(['U0ADA']);
    const named = makePeople([
      { kind: 'email', email: 'max.member@acme.example' },
      { kind: 'group', id: 'S0LEADS' },
    ]);
    expect((await named.admins()).toSorted()).toEqual(['U0MAX', 'U0MORGAN']);
  });

  test('include the managers: those of the settings, each once and without deactivated ones', async () => {
    const named = makePeople(undefined, [
      { kind: 'email', email: 'max.member@acme.example' },
      { kind: 'group', id: 'S0LEADS' },
      { kind: 'user', id: 'U0DAN' },
      { kind: 'user', id: 'U0MORGAN' },
    ]);
    expect((await named.managers()).toSorted()).toEqual(['U0MAX', 'U0MORGAN']);
  });

  test('include deactivated accounts; a failed request to Slack makes no person deactivated', async () => {
    const people = makePeople();
    expect(await people.isDeactivated('U0DAN')).toBe(true);
    expect(await people.isDeactivated('U0MIA')).toBe(false);
    await slack.control.addFault({ method: 'users.info', kind: 'error', error: 'missing_scope' });
    expect(await people.isDeactivated('U0NORA')).toBe(false);
  });

  test.each(['missing_scope', 'plan_upgrade_required', 'no_such_subteam', 'an_unknown_code'])(
    'count user groups of the settings that Slack refuses with %s as empty, and answer everybody',
    async (code) => {
      await slack.control.addFault({ method: 'usergroups.users.list', kind: 'error', error: code });
      await slack.control.addFault({ method: 'usergroups.list', kind: 'error', error: code });
      const people = makePeople(
        [
          { kind: 'group', id: 'S0LEADS' },
          { kind: 'email', email: 'max.member@acme.example' },
        ],
        [{ kind: 'group', id: 'S0WEB' }],
      );
      expect(await people.identify('U0MIA')).toMatchObject({ kind: 'known', person: { role: 'member' } });
      expect(await people.identifyAfresh('U0MORGAN')).toMatchObject({ kind: 'known', person: { role: 'member' } });
      expect(await people.identify('U0MAX')).toMatchObject({ person: { role: 'admin' } });
      expect([await people.admins(), await people.managers()]).toEqual([['U0MAX'], []]);
      expect(await people.groupHandle('S0WEB')).toBeUndefined();
      expect(people.groupEvidence()).toMatchObject({ refusedSince: clock.now(), codes: [code] });
      slack.faults.clear();
      expect(await people.identifyAfresh('U0MORGAN')).toMatchObject({ person: { role: 'admin' } });
      await people.identifyAfresh('U0MIA');
      expect(people.groupEvidence()).toMatchObject({ refusedSince: undefined, codes: [] });
    },
  );

  test('ask Slack for a refused group once in five minutes, not for each person', async () => {
    await slack.control.addFault({ method: 'usergroups.users.list', kind: 'error', error: 'missing_scope' });
    const people = makePeople([{ kind: 'group', id: 'S0LEADS' }]);
    const before = slack.traffic.latest().length;
    for (const id of ['U0MIA', 'U0MAX', 'U0NORA']) await people.identify(id);
    const asked = slack.traffic.latest().slice(before);
    expect(asked.filter(({ method }) => method === 'usergroups.users.list')).toHaveLength(1);
  });

  test('are the names of living people, also if a deactivated account or an outsider has the same e-mail', async () => {
    const mia = slack.workspace.people.get('U0MIA');
    if (!mia) throw new Error('Mia is in the workspace');
    slack.workspace.people.set('U1OLD', {
      ...mia,
      id: 'U1OLD',
      handle: 'old',
      name: 'Old Account',
      isDeactivated: true,
    });
    slack.workspace.people.set('U2OUT', {
      ...mia,
      id: 'U2OUT',
      handle: 'out',
      name: 'Out Sider',
      isStranger: true,
    });
    const names = await makePeople().names();
    expect(names.get('mia.member@acme.example')).toBe(mia.name);
    expect(names.get('dan@acme.example')).toBe('Deactivated Dan');
  });
});
