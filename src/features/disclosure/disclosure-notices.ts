import { channelMention, joinMarkup, markup, mention, type Markup } from '../../core/base/text/markup.ts';
import { failureNotice, lastMessageToReader, lostReaderNotice } from '../../core/outbox/failure-notices.ts';
import { COVERED } from '../../core/outbox/message-duties.ts';
import { type MessageHandler } from '../../core/outbox/message-kind.ts';
import { namesNobody } from '../../core/outbox/poster.ts';
import { isPersonAddress, type LossReason } from '../../core/outbox/reader.ts';
import type { Role } from '../../core/base/roles.ts';
import type { Services } from '../../core/services.ts';
import type { Button } from '../../core/slack/blocks/blocks.ts';
import { runCommandButton } from '../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { commandText, plainWord } from '../../core/slack/commands/command-text.ts';

export function outboxNotices(deps: Pick<Services, 'db' | 'clock' | 'people'>): MessageHandler[] {
  return [
    ...failureNotice.handledBy(deps, ({ payload: { what, to, reason, command } }) => {
      const place = isPersonAddress(to) ? markup`sent to ${mention(to)}` : markup`posted to ${channelMention(to)}`;
      const line = markup`❌ ${what} couldn’t be ${place}. ${reason}`;
      const buttons = command ? [showButton(command)] : [];
      return Promise.resolve({ kind: 'send', message: namesNobody(messageOf(prose(line), buttonRow(...buttons))) });
    }),
    ...lostReaderNotice.handledBy(deps, ({ payload: { what, person, reason, neededRole } }) => {
      const line = markup`⏸️ Stopped for ${mention(person)}: ${what}. ${lossWords(reason, neededRole)}.`;
      return Promise.resolve({ kind: 'send', message: namesNobody(messageOf(prose(line))) });
    }),
    lastMessageToReader.handledBy({
      isForAnybody: true,
      write: async ({ payload: { what, reason, owner, neededRole } }) => {
        const line = markup`⏸️ Stopped for you: ${what}. ${ownLossWords(reason, neededRole)}. ${await helpers(deps, owner)} can help.`;
        return { kind: 'send', message: namesNobody(messageOf(prose(line))) };
      },
      report: () => Promise.resolve(COVERED),
    }),
  ];
}

function showButton({
  command,
  words: [word = 'help', ...rest],
}: {
  command: string;
  words: readonly string[];
}): Button {
  const [id] = rest;
  const text = id === undefined ? commandText`${plainWord(word)}` : commandText`${plainWord(word)} ${plainWord(id)}`;
  return runCommandButton('Details', command, text);
}

const ROLE_WORDS: Record<Role, string> = {
  member: 'a member',
  manager: 'a manager',
  admin: 'an admin',
};

/** @example lossWords('guest', 'manager') // 'They are a guest of this workspace now' */
function lossWords(reason: LossReason, neededRole: Role): string {
  switch (reason) {
    case 'guest':
      return 'They are a guest of this workspace now';
    case 'role':
      return `They are no longer ${ROLE_WORDS[neededRole]} in Quartermaster`;
    case 'outsider':
      return 'They belong to another workspace now';
    case 'bot':
      return 'This account is a bot';
    case 'deactivated':
      return 'Their account is deactivated';
    case 'erased':
      return 'Their data was erased';
    case 'unknown':
      return 'Slack doesn’t know this account';
    default:
      return reason satisfies never;
  }
}

const ownLossWords = (reason: LossReason, neededRole: Role): string =>
  reason === 'guest'
    ? 'You’re a guest of this workspace now, and Quartermaster is for its members'
    : `You’re no longer ${ROLE_WORDS[neededRole]} in Quartermaster`;

const MAX_HELPERS = 3;

/** Mentions the owner if that is another person, else the first admins. */
async function helpers({ people }: Pick<Services, 'people'>, owner: string | null): Promise<Markup> {
  if (owner !== null) return mention(owner);
  const admins = (await people.admins()).slice(0, MAX_HELPERS);
  return admins.length === 0
    ? markup`The server operator of Quartermaster`
    : joinMarkup(
        admins.map((admin) => mention(admin)),
        ' or ',
      );
}
