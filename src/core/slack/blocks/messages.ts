import { button, context, message, section, type BlockMessage, type Button, type ButtonOptions } from './blocks.ts';
import { buttonRow, messageOf, note, prose, sentence } from './paragraphs.ts';
import {
  type CommandHelp,
  type CommandText,
  commandText,
  didYouMean,
  joinWords,
  plainWord,
  readReference,
  splitWords,
} from '../commands/command-text.ts';
import type { UserError } from './faults.ts';
import { hasRole, type RequiredRole, type Role } from '../../base/roles.ts';
import { channelMention, joinMarkup, markup, mention, own, withRest, type Markup } from '../../base/text/markup.ts';

/** The value of the button is the command. */
export const RUN_COMMAND_ACTION = 'quartermaster_run_command';

export function plainMessage(sentenceText: string | Markup): BlockMessage {
  return messageOf(prose(markup`${own(sentenceText)}`));
}

const ROLE_WORDS: Record<RequiredRole, string> = {
  member: 'members of this workspace',
  manager: 'managers and admins of Quartermaster',
  admin: 'admins of Quartermaster',
  nobody: 'nobody here',
};

export interface RoleDenial {
  what: string;
  role: RequiredRole;
  verb?: 'is' | 'are';
  /** An alternative to asking: `type /usage me for your own`. */
  or?: string;
}

/** `@Mia, the requester`, `withdraw the request`. */
export interface OwnerDenial {
  role: 'admin';
  owner: Markup;
  action: Markup;
}

export type Refusal = string | Markup | RoleDenial | OwnerDenial;

/** @example roleSentence({ what: '/digest', role: 'manager' }) // '/digest is for managers and admins of Quartermaster.' */
export function roleSentence({ what, role, verb = 'is' }: RoleDenial): string {
  if (role === 'nobody')
    return `${what} ${verb} switched off here. The server operator of Quartermaster can switch it on.`;
  return `${what} ${verb} for ${ROLE_WORDS[role]}.`;
}

const MAX_HELPERS = 2;

/**
 * Names the people to ask. Only `interaction.refusal` calls it, so that each refusal names them.
 *
 * @param admins Slack ids; if empty, the sentence names none
 * @example roleRefusal({ what: '/digest', role: 'manager' }, ['U0ADA']) // '/digest is for managers … Ask @Ada.'
 */
export function roleRefusal(denial: RoleDenial | OwnerDenial, admins: readonly string[]): BlockMessage {
  const why =
    'owner' in denial
      ? markup`Only ${denial.owner}, or an admin can ${denial.action}.`
      : markup`${own(roleSentence(denial))}`;
  if (denial.role === 'nobody') return plainMessage(why);
  const mentions = admins.slice(0, MAX_HELPERS).map((id) => mention(id));
  const named = joinMarkup(mentions, ' or ');
  const or = 'or' in denial && denial.or !== undefined ? `, or ${denial.or}` : '';
  return plainMessage(markup`${why} Ask ${admins.length === 0 ? own('one of them') : named}${own(or)}.`);
}

export function oldButtonSentence(command: string): string {
  return `This button is from an older version. Run ${command} again.`;
}

export interface TypedCommand {
  command: string;
  text: CommandText | undefined;
}

export function faultMessage({ sentence: why, reference }: UserError, retry?: TypedCommand): BlockMessage {
  return message(markup`${why} (reference ${reference})`, [
    section(markup`${why}`),
    ...retryRow(retry).blocks,
    context(markup`Reference for the server log: \`${reference}\``),
  ]);
}

export function notOpenedMessage(retry?: TypedCommand): BlockMessage {
  return messageOf(sentence('Slack did not open the window in time. Try again.'), retryRow(retry));
}

const retryRow = (retry: TypedCommand | undefined) =>
  buttonRow(...(retry ? runCommandButtons('Try again', retry.command, retry.text) : []));

/** @example const editButton = buttonAbout('digest_edit', 'Edit') */
export const buttonAbout =
  (actionId: string, label: string, style?: ButtonOptions['style'], confirm?: ButtonOptions['confirm']) =>
  (id: string, text = label): Button =>
    button({ text, actionId, value: id, style, confirm });

/** @example deleteButton('digest_remove', 'digest', id, markup`It will no longer come.`) */
export const deleteButton = (actionId: string, noun: string, value: string, text: Markup): Button =>
  button({ text: 'Delete', actionId, value, style: 'danger', confirm: { title: `Delete this ${noun}?`, text } });

export function runCommandButton(label: string, command: string, { text }: CommandText): Button {
  return button({ text: label, actionId: RUN_COMMAND_ACTION, value: JSON.stringify({ command, text }) });
}

/** Returns no button if the words cannot be written as a command. */
export function runCommandButtons(label: string, command: string, text: CommandText | undefined): Button[] {
  return text ? [runCommandButton(label, command, text)] : [];
}

/** Opens the form of a digest, filled with what an answer shows; for those who may set one up. */
export function sendRegularlyButtons({ role }: { role: Role }, text: CommandText | undefined): Button[] {
  return hasRole(role, 'manager') ? runCommandButtons('Send regularly', '/digest', text) : [];
}

const HELP_AUDIENCES: Record<RequiredRole, string> = {
  member: '',
  manager: 'For managers and admins.',
  admin: 'For admins.',
  nobody: 'Switched off here.',
};

interface HelpDetails {
  sentence?: string;
  corrected?: CommandText | undefined;
  /** Buttons of command lines that the words may mean, if there is no `corrected`. */
  meanings?: readonly Button[];
  role?: RequiredRole;
  /** The teams that an admin chose: `@web-team`. */
  teams?: readonly string[];
}

/** Shows one line after unknown words, with buttons for the most likely meaning and for the help. */
export function helpMessage(help: CommandHelp, fault: HelpDetails): BlockMessage {
  const { command, purpose, examples } = help;
  if (fault.sentence) return faultyWordsMessage(command, fault.sentence, fault);
  const audience = fault.role === undefined ? '' : HELP_AUDIENCES[fault.role];
  const lines = examples.map(({ text, meaning }) => markup`\`${own(`${command} ${text}`.trim())}\`  ${own(meaning)}`);
  return messageOf(
    {
      blocks: [section([markup`*${own(command)}*  ${own(purpose)}`, ...lines])],
      lines: [`${command}: ${purpose}`, ...examples.map(({ text, meaning }) => `${command} ${text}: ${meaning}`)],
    },
    note(fault.teams && fault.teams.length > 0 ? `Teams: ${listOf(fault.teams)}.` : ''),
    note(audience),
  );
}

/** For an unknown id: offers the same subcommand with the id that was most likely meant. */
export function unknownIdMessage(
  help: CommandHelp,
  { word, id, ids, sentence }: { word: string; id: string; ids: readonly string[]; sentence: string },
): BlockMessage {
  const meant = didYouMean(id, ids);
  const corrected = meant === undefined ? undefined : commandText`${plainWord(word)} ${plainWord(meant)}`;
  return helpMessage(help, { sentence, corrected });
}

const MAX_TEAMS = 20;
const listOf = (teams: readonly string[]) =>
  withRest(teams, MAX_TEAMS, (remaining) => `${remaining} more with /usage teams`).join(', ');

function faultyWordsMessage(command: string, why: string, { corrected, meanings = [] }: HelpDetails): BlockMessage {
  // A group is named in the sentence, because its id says nothing.
  const hasGroup = corrected?.text.includes('<!subteam^') === true;
  const line =
    corrected && !hasGroup ? [markup`${own(command)}`, ...splitWords(corrected.text).map(shownWord)] : undefined;
  const questions: Markup[] = [];
  if (line) questions.push(markup`Did you mean ${joinMarkup(line, ' ')}?`);
  else if (meanings.length > 0)
    questions.push(markup`Did you mean ${own(meanings.length > 1 ? 'one of these' : 'this')}?`);
  return messageOf(
    prose(joinMarkup([markup`${own(why)}`, ...questions], ' ')),
    buttonRow(
      ...runCommandButtons('Run it', command, corrected),
      ...meanings,
      runCommandButton('Help', command, commandText`help`),
    ),
  );
}

/** A person or a channel is shown by name. */
function shownWord(word: string): Markup {
  const reference = readReference(word);
  if (reference?.kind === 'person') return mention(reference.slackId);
  return reference?.kind === 'channel' ? channelMention(reference.slackId) : markup`${own(joinWords([word]))}`;
}
