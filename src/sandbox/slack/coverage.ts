/** The sandbox's support for a part of Slack. A test compares every row with the code and requires a proof. */

export interface Coverage {
  area: 'method' | 'block' | 'element' | 'interaction' | 'transport';
  name: string;
  support: 'supported' | 'partial' | 'not';
  /** A gap, or another remark. */
  note: string;
  /** Title of a test that proves it; empty if there is nothing to prove. */
  test: string;
}

type Row = [name: string, test: string, note?: string];

const supported = (area: Coverage['area'], rows: Row[]): Coverage[] =>
  rows.map(([name, test, note = '']) => ({ area, name, support: 'supported', note, test }));
const partial = (area: Coverage['area'], rows: Row[]): Coverage[] =>
  rows.map(([name, test, note = '']) => ({ area, name, support: 'partial', note, test }));
const missing = (area: Coverage['area'], rows: [name: string, note: string][]): Coverage[] =>
  rows.map(([name, note]) => ({ area, name, support: 'not', note, test: '' }));

const methods: Coverage[] = [
  ...supported('method', [
    ['api.test', 'are checked on every call'],
    ['apps.connections.open', 'delivers each payload to one of two connections'],
    ['auth.test', 'are checked on every call'],
    ['bots.info', 'are checked on every call'],
    ['chat.delete', 'are updated and deleted by their author, up to 4,000 bytes of text'],
    ['chat.getPermalink', 'form threads, have permalinks and take reactions'],
    ['chat.postEphemeral', 'that are ephemeral reach members only, and appear in no history'],
    ['chat.update', 'are updated and deleted by their author, up to 4,000 bytes of text'],
    ['conversations.history', 'read history newest first, between two times, page by page'],
    ['conversations.invite', 'can be looked up, joined, left and invited to'],
    ['conversations.join', 'can be looked up, joined, left and invited to'],
    ['conversations.leave', 'can be looked up, joined, left and invited to'],
    ['conversations.members', 'can be looked up, joined, left and invited to'],
    ['conversations.replies', 'form threads, have permalinks and take reactions'],
    ['reactions.add', 'form threads, have permalinks and take reactions'],
    ['usergroups.list', 'are found by e-mail and by group'],
    ['usergroups.users.list', 'are found by e-mail and by group'],
    ['users.conversations', 'are found by e-mail and by group'],
    ['users.info', 'carry the flags that distinguish strangers, guests and admins'],
    ['users.list', 'carry the flags that distinguish strangers, guests and admins'],
    ['users.lookupByEmail', 'are found by e-mail and by group'],
    ['views.publish', 'refuses an App Home with an old hash, and charts in it'],
    ['views.push', 'pushes on top of a modal from a click inside it'],
    ['views.update', 'refuses an update with an old hash'],
  ]),
  ...partial('method', [
    [
      'chat.postMessage',
      'are posted if the app is a member, and to people',
      'no attachments shown, no unfurling, no custom name or icon',
    ],
    ['conversations.info', 'can be looked up, joined, left and invited to', 'topic and purpose are empty'],
    ['conversations.list', 'are listed page by page, without the private ones of others', 'no group conversations'],
    ['conversations.open', 'open a direct message once', 'one person only'],
    ['files.completeUploadExternal', 'are uploaded, shared and read back', 'no previews'],
    ['files.getUploadURLExternal', 'are uploaded, shared and read back', 'the announced length is not compared'],
    ['files.info', 'are uploaded, shared and read back', 'no comments, no previews'],
    ['team.info', 'are checked on every call', 'no icon'],
    ['users.profile.get', 'carry the flags that distinguish strangers, guests and admins', 'no custom fields'],
    ['views.open', 'opens a modal for the person who ran the command', 'a second open replaces the stack'],
  ]),
];

const proven = 'is accepted: $name';
const undrawn = 'checked, but not drawn by the page';
const blocks: Coverage[] = [
  ...supported('block', [
    ['actions', proven],
    ['context', proven],
    ['data_table', proven],
    ['data_visualization', proven, 'can be switched off, as before its roll-out'],
    ['divider', proven],
    ['header', proven],
    ['input', proven],
    ['rich_text', proven],
    ['section', proven],
  ]),
  ...partial('block', [
    ['alert', proven, undrawn],
    ['card', proven, undrawn],
    ['carousel', proven, undrawn],
    ['container', proven, undrawn],
    ['context_actions', proven, undrawn],
    ['image', proven, undrawn],
    ['markdown', proven, undrawn],
    ['plan', proven, undrawn],
    ['table', proven, undrawn],
    ['task_card', proven, undrawn],
    ['video', proven, undrawn],
  ]),
];

const typed = 'sends typed text to the app only if the input dispatches';
const shaped = 'accept a value each, and return it in their own member';
const elements: Coverage[] = [
  ...supported('element', [
    ['button', 'a click reaches the app with its value and may update the message'],
    ['checkboxes', shaped],
    ['conversations_select', shaped],
    ['datetimepicker', shaped],
    ['file_input', shaped],
    ['multi_static_select', shaped],
    ['multi_users_select', shaped],
    ['plain_text_input', typed],
    ['radio_buttons', shaped],
    ['static_select', 'carry state.values of the whole message, and no message if it is ephemeral'],
    ['timepicker', shaped],
  ]),
];

const interactions: Coverage[] = [
  ...supported('interaction', [
    ['block_actions', 'a click reaches the app with its value and may update the message'],
    ['slash_commands', 'a command is acknowledged and only that person sees its answer'],
    ['view_closed', 'notifies the app of a cancelled modal only with notify_on_close'],
    ['view_submission', 'closes the modal on an empty acknowledgement and sends the typed values'],
    ['response_url', 'accept five uses, not a sixth'],
  ]),
  ...partial('interaction', [
    [
      'event',
      'notify the app of direct messages, mentions and new members',
      'the events of seed.ts; others with sendEvent',
    ],
  ]),
  ...missing('interaction', [
    ['shortcut', 'no global shortcuts'],
    ['message_action', 'no message shortcuts'],
    ['function_executed', 'no workflow steps'],
    ['block_suggestion', 'no selects whose options the app looks up'],
  ]),
];

const transports: Coverage[] = [
  ...supported('transport', [
    ['socket', 'is connected again by the app after: %s'],
    [
      'http',
      'signs each request so that the app can verify it',
      'events are retried on demand (redeliver), not by themselves',
    ],
  ]),
];

export const coverage: readonly Coverage[] = [...methods, ...blocks, ...elements, ...interactions, ...transports];
