import { describe, expect, test } from 'vitest';
import { nextOrder, pageOf, sortedRows } from '../../../src/sandbox/page/browser/blocks/table-order.ts';
import { readWritten } from '../../../src/sandbox/page/browser/core/composer/composer-commands.ts';
import { completionsFor, usageHintFor } from '../../../src/sandbox/page/browser/core/composer/completion.ts';
import { readPlatformState } from '../../../src/sandbox/page/browser/core/platform-state.ts';
import {
  applyEvent,
  repliesTo,
  topMessages,
  waitingFor,
  withModals,
} from '../../../src/sandbox/page/browser/core/reduce.ts';
import { valueFromElement, valueFromState } from '../../../src/sandbox/page/browser/elements/element-values.ts';
import { checkInputs } from '../../../src/sandbox/page/browser/elements/input-checks.ts';
import type { MessageView, SlackEvent, Snapshot, ViewView } from '../../../src/sandbox/slack/index.ts';

const person = (id: string, handle: string, name: string) => ({
  id,
  handle,
  name,
  email: null,
  timeZone: 'UTC',
  isAdmin: false,
  isOwner: false,
  isGuest: false,
  isStranger: false,
  isBot: false,
  isDeactivated: false,
  teamId: 'T1',
});

const message = (ts: string, changes: Partial<MessageView> = {}): MessageView => ({
  ts,
  threadTs: null,
  author: 'U1',
  text: ts,
  blocks: [],
  isEphemeral: false,
  visibleTo: null,
  isEdited: false,
  editedTs: null,
  subtype: null,
  replyCount: 0,
  metadata: null,
  files: [],
  reactions: [],
  ...changes,
});

const modal = (id: string): ViewView => ({ id, type: 'modal', view: { title: id }, hash: id, values: {}, errors: {} });

const snapshot: Snapshot = {
  seq: 5,
  now: '2026-03-02T08:00:00.000Z',
  team: { id: 'T1', name: 'Acme', domain: 'acme' },
  viewer: person('U1', 'morgan', 'Morgan Reyes'),
  people: [person('U1', 'morgan', 'Morgan Reyes'), person('U2', 'mia', 'Mia Chen')],
  userGroups: [{ id: 'S1', handle: 'web-team', name: 'Web', members: [] }],
  app: {
    id: 'A1',
    name: 'Quartermaster',
    botUserId: 'U9',
    transport: 'socket',
    connections: 1,
    commands: [
      { command: '/usage', usageHint: '[summary]', description: 'Shows usage' },
      { command: '/limits', usageHint: '', description: '' },
    ],
  },
  channels: [
    {
      id: 'C1',
      name: 'general',
      kind: 'public',
      isMember: true,
      isArchived: false,
      hasApp: true,
      members: ['U1'],
      messages: [message('1.0'), message('3.0')],
    },
  ],
  modals: [modal('V1')],
  home: null,
  files: [],
  directMessages: {},
  chartsSupported: true,
};

const stamp = { seq: 6, at: '2026-03-02T08:00:01.000Z' };
const inGeneral = { ...stamp, channel: 'C1', channelName: 'general' };
const textsAfter = (event: SlackEvent) => applyEvent(snapshot, event)?.channels[0]?.messages.map(({ text }) => text);

describe('the workspace after an event', () => {
  test('shows a new message in its place', () => {
    expect(textsAfter({ kind: 'message', ...inGeneral, message: message('2.0') })).toEqual(['1.0', '2.0', '3.0']);
    expect(textsAfter({ kind: 'message_updated', ...inGeneral, message: message('1.0', { text: 'new' }) })).toEqual([
      'new',
      '3.0',
    ]);
    expect(textsAfter({ kind: 'message_deleted', ...inGeneral, message: message('1.0') })).toEqual(['3.0']);
  });

  test('counts direct messages of the app, of which it sees only those of its viewer', () => {
    const at = '2026-03-02T08:00:00.000Z';
    const other = applyEvent(snapshot, { kind: 'direct_message', seq: 6, at, person: 'U2' });
    expect(other?.directMessages).toEqual({ U2: 1 });
    const state = { snapshot: other, seenDirect: {} };
    expect([waitingFor(state, 'U2'), waitingFor(state, 'U1')]).toEqual([1, 0]);
    expect(waitingFor({ ...state, seenDirect: { U2: 1 } }, 'U2')).toBe(0);
  });

  test('keeps the newer modal of an event over an older answer', () => {
    const working = { ...modal('V1'), hash: 'working' };
    const done = { ...modal('V1'), hash: 'done' };
    const after = applyEvent(snapshot, { kind: 'view_updated', ...stamp, person: 'U1', view: done });
    expect(after && withModals(after, [working], 5).modals).toEqual([done]);
    expect(withModals(snapshot, [working], 5).modals).toEqual([working]);
  });

  test('counts the replies of a thread', () => {
    const reply = message('4.0', { threadTs: '1.0' });
    const after = applyEvent(snapshot, { kind: 'message', ...inGeneral, message: reply });
    const first = (of: Snapshot | null) => of?.channels[0]?.messages[0];
    expect(first(after)).toMatchObject({ ts: '1.0', threadTs: '1.0', replyCount: 1 });
    const without = after && applyEvent(after, { kind: 'message_deleted', ...inGeneral, message: reply });
    expect(first(without)).toMatchObject({ threadTs: null, replyCount: 0 });
  });

  test('shows an ephemeral message only to its recipient', () => {
    const toViewer = message('4.0', { visibleTo: 'U1', isEphemeral: true });
    const toOther = message('4.0', { visibleTo: 'U2', isEphemeral: true });
    expect(textsAfter({ kind: 'ephemeral', to: 'U1', ...inGeneral, message: toViewer })).toHaveLength(3);
    expect(textsAfter({ kind: 'ephemeral', to: 'U2', ...inGeneral, message: toOther })).toHaveLength(2);
  });

  test('is read again if the event has too little data', () => {
    expect(applyEvent(snapshot, { kind: 'workspace_changed', ...stamp, what: 'x' })).toBeNull();
    expect(applyEvent(snapshot, { kind: 'message', ...inGeneral, channel: 'C9', message: message('2.0') })).toBeNull();
    expect(applyEvent(snapshot, { kind: 'view_updated', ...stamp, person: 'U1', view: modal('V9') })).toBeNull();
  });

  test('keeps the stack of modals of the viewer, and of no other user', () => {
    const idsAfter = (event: SlackEvent) => applyEvent(snapshot, event)?.modals.map(({ id, hash }) => `${id} ${hash}`);
    const ofViewer = { ...stamp, person: 'U1' };
    expect(idsAfter({ kind: 'view_opened', ...ofViewer, view: modal('V2') })).toEqual(['V1 V1', 'V2 V2']);
    expect(idsAfter({ kind: 'view_updated', ...ofViewer, view: { ...modal('V1'), hash: 'h' } })).toEqual(['V1 h']);
    expect(idsAfter({ kind: 'view_closed', ...ofViewer, view: modal('V1') })).toEqual([]);
    expect(idsAfter({ kind: 'view_opened', ...stamp, person: 'U2', view: modal('V3') })).toEqual(['V1 V1']);
  });

  test('keeps threads apart from the channel', () => {
    const channel = {
      id: 'C1',
      name: 'general',
      kind: 'public' as const,
      isMember: true,
      isArchived: false,
      hasApp: true,
      members: [],
      messages: [message('1.0', { threadTs: '1.0' }), message('2.0', { threadTs: '1.0' }), message('3.0')],
    };
    expect(topMessages(channel).map(({ ts }) => ts)).toEqual(['1.0', '3.0']);
    expect(repliesTo(channel, '1.0').map(({ ts }) => ts)).toEqual(['2.0']);
  });
});

describe('typed text', () => {
  test.each([
    ['hello /usage', { kind: 'message', text: 'hello /usage' }],
    ['/usage last week @mia', { kind: 'command', command: '/usage', text: 'last week @mia' }],
    ['  /usage  ', { kind: 'command', command: '/usage', text: '' }],
    ['/invite @Quartermaster', { kind: 'invite', who: 'Quartermaster' }],
    ['/leave', { kind: 'leave' }],
    ['/usge', { kind: 'unknown command', command: '/usge' }],
    ['/etc/hosts is a file', { kind: 'message', text: '/etc/hosts is a file' }],
  ])('%j is understood', (written, expected) => {
    expect(readWritten(written, ['/usage'])).toEqual(expected);
  });

  const offersFor = (text: string) => completionsFor(text, text.length, snapshot)?.offers.map(({ insert }) => insert);

  test('is completed: commands at the start, people, groups and channels anywhere', () => {
    expect(offersFor('/')?.slice(0, 3)).toEqual(['/usage', '/limits', '/invite']);
    expect(offersFor('/us')).toEqual(['/usage']);
    expect(offersFor('/usage @m')).toEqual(['@morgan', '@mia']);
    expect(offersFor('/usage @chen')).toEqual(['@mia']);
    expect(offersFor('hello @web')).toEqual(['@web-team']);
    expect(offersFor('#gen')).toEqual(['#general']);
    expect(offersFor('mail@m')).toBeUndefined();
    expect(offersFor('hello')).toBeUndefined();
  });

  test('gets the usage hint of its command', () => {
    expect(usageHintFor('/usage ', snapshot)).toBe('/usage [summary] — Shows usage');
    expect(usageHintFor('/usag', snapshot)).toBeNull();
  });
});

describe('a form', () => {
  const faults = (element: object, value: string | string[] | null, block: object = {}) =>
    checkInputs([{ type: 'input', block_id: 'b', element: { ...element }, ...block }], () => value)['b'] ?? 'none';
  const text = { type: 'plain_text_input', min_length: 3, max_length: 5 };

  test.each([
    [faults(text, null), 'Please complete this required field.'],
    [faults(text, null, { optional: true }), 'none'],
    [faults(text, 'ab'), 'Write at least 3 characters.'],
    [faults(text, 'abcdef'), 'Write at most 5 characters.'],
    [faults(text, 'abcde'), 'none'],
    [faults({ type: 'multi_users_select' }, []), 'Please complete this required field.'],
  ])('is checked before it is sent: %s', (found, expected) => {
    expect(found).toBe(expected);
  });

  test.each([
    [{ selected_option: { value: 'a' } }, 'a'],
    [{ selected_options: [{ value: 'a' }, { value: 'b' }] }, ['a', 'b']],
    [{ selected_users: ['U1'] }, ['U1']],
    [{ selected_date_time: 1772438400 }, '1772438400'],
    [{ value: null }, null],
    [{ files: [{ id: 'F1' }] }, ['F1']],
  ])('shows the values that Slack holds: %j', (state, expected) => {
    expect(valueFromState(state)).toEqual(expected);
  });

  test.each([
    [{ initial_value: '5' }, '5'],
    [{ initial_option: { value: 'a' } }, 'a'],
    [{ initial_options: [{ value: 'a' }] }, ['a']],
    [{ initial_users: ['U1'] }, ['U1']],
    [{ initial_time: '09:00' }, '09:00'],
    [{}, null],
  ])('begins with its initial values: %j', (element, expected) => {
    expect(valueFromElement(element)).toEqual(expected);
  });
});

describe('a data table', () => {
  const text = (value: string) => ({ type: 'raw_text', text: value });
  const number = (value: number) => ({ type: 'raw_number', value, text: String(value) });
  const rows = [
    [text('b'), number(10)],
    [text('a'), number(9)],
    [text('c'), number(100)],
  ];
  const firsts = (order: Parameters<typeof sortedRows>[1]) => sortedRows(rows, order).map(([cell]) => cell?.text);

  test('is sorted by text or by number, ascending, descending and not at all', () => {
    const up = nextOrder(null, 1);
    const down = nextOrder(up, 1);
    expect(firsts(up)).toEqual(['a', 'b', 'c']);
    expect(firsts(down)).toEqual(['c', 'b', 'a']);
    expect(firsts(nextOrder(down, 1))).toEqual(['b', 'a', 'c']);
    expect(firsts(nextOrder(down, 0))).toEqual(['a', 'b', 'c']);
  });

  test('is cut into pages, of which the last may be short', () => {
    expect(pageOf([1, 2, 3, 4, 5], 1, 2)).toEqual({ rows: [3, 4], page: 1, pages: 3 });
    expect(pageOf([1, 2, 3, 4, 5], 9, 2)).toEqual({ rows: [5], page: 2, pages: 3 });
    expect(pageOf([], 0, 2)).toEqual({ rows: [], page: 0, pages: 1 });
  });
});

describe("the platform's state", () => {
  test('is described in words', () => {
    const state = readPlatformState({
      yesterday: '2026-03-01',
      yesterdayPublished: false,
      heldDays: ['2026-03-01'],
      revisedDays: { '2026-02-20': 1.1 },
      faults: [
        { kind: 'rate_limit', probability: 0.08 },
        { kind: 'status', status: 500, times: 2 },
      ],
      requests: [
        { method: 'GET', path: '/a', status: 200 },
        { method: 'GET', path: '/b', status: 500, fault: 'status' },
      ],
    });
    expect(state).toMatchObject({
      isYesterdayPublished: false,
      heldDays: ['2026-03-01'],
      revisedDays: ['2026-02-20 × 1.1'],
      faults: ['rate limit, 8 % of requests', 'status, 500, 2 times'],
      requests: [
        { line: 'GET /b → 500 (status)', isSpoilt: true },
        { line: 'GET /a → 200', isSpoilt: false },
      ],
    });
    expect(readPlatformState(null).requests).toEqual([]);
  });
});
