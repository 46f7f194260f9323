import { formatDay } from '../../../core/base/time/calendar.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { button, section, type BlockMessage, type Button } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, copied, heading, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import type { PersonalToken } from '../ask-tables.ts';
import { TOKEN_DAYS } from './token-store.ts';

export const ACTIONS = {
  renew: 'ask_token_new',
  off: 'ask_token_off',
  revoke: 'ask_token_revoke',
} as const;

export const TOKENS_TITLE = 'Tokens of coding clients';

/** A modal holds 100 blocks. */
const MAX_LISTED = 50;

export const NOT_HERE = plainMessage(
  'Coding clients can’t ask Quartermaster here. The server operator can turn it on with MCP=tokens and MCP_URL.',
);
export const NO_TOKEN = plainMessage(markup`You have no token. Type \`/quartermaster token\` to make one.`);
export const TURNED_OFF = plainMessage(
  markup`✅ *Off.* Your token no longer works. Remove Quartermaster from the settings of your coding client.`,
);

/** The token and the instructions, shown once to its owner. @param url without its path */
export function newTokenMessage(url: string, token: string): BlockMessage {
  const address = `${url}/mcp`;
  const cursor = { mcpServers: { quartermaster: { url: address, headers: { Authorization: `Bearer ${token}` } } } };
  return messageOf(
    heading('Ask Quartermaster from your coding client'),
    prose(
      markup`Your client can then answer “will I run out of credits?” with your figures. It can read what you may read, and change nothing. *The token is shown only now.*`,
    ),
    prose(markup`*Claude Code:* paste this into a terminal.`),
    copied(`claude mcp add --transport http quartermaster ${address} --header "Authorization: Bearer ${token}"`),
    prose(markup`*Cursor:* add this to \`~/.cursor/mcp.json\`.`),
    copied(JSON.stringify(cursor, undefined, 2)),
    smallPrint(
      markup`Other clients of the Model Context Protocol take the same address and header. The token works for ${TOKEN_DAYS} days, and your client’s model reads the answers. To end it: \`/quartermaster token off\``,
    ),
  );
}

export function tokenStatusMessage(token: PersonalToken): BlockMessage {
  return messageOf(
    prose([
      markup`✅ *Your coding client can ask Quartermaster* until ${readerTime(new Date(token.expiresAt))}.`,
      token.lastUsedOn === null
        ? markup`Your token was not used yet.`
        : markup`Your token was last used on ${formatDay(token.lastUsedOn)} (UTC).`,
    ]),
    buttonRow(
      button({
        text: 'New token',
        actionId: ACTIONS.renew,
        confirm: {
          title: 'Make a new token?',
          text: markup`The one you have stops working at once.`,
          confirm: 'Make one',
          deny: 'Keep mine',
        },
      }),
      button({ text: 'Turn off', actionId: ACTIONS.off }),
    ),
  );
}

export function tokensView(tokens: readonly PersonalToken[]): ModalView {
  const rest = tokens.length - MAX_LISTED;
  return modal({
    title: TOKENS_TITLE,
    blocks: [
      ...(tokens.length === 0 ? [section(markup`No one has a token.`)] : []),
      ...tokens.slice(0, MAX_LISTED).map((token) => section(lineOf(token), revokeButton(token.owner))),
      ...(rest > 0 ? [section(markup`and ${rest} more`)] : []),
    ],
  });
}

export function lineOf({ owner, createdAt, expiresAt, lastUsedOn }: PersonalToken): Markup {
  const use = lastUsedOn === null ? markup`never used` : markup`last used on ${formatDay(lastUsedOn)}`;
  return markup`${mention(owner)}  made ${readerTime(new Date(createdAt))}, ${use}, ends ${readerTime(new Date(expiresAt))}`;
}

export function revokeButton(owner: string): Button {
  return button({
    text: 'Revoke',
    actionId: ACTIONS.revoke,
    value: owner,
    confirm: {
      title: 'Revoke this token?',
      text: markup`The coding client of ${mention(owner)} can no longer ask. They can make a new token.`,
      deny: 'Keep',
    },
  });
}
