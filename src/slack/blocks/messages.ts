import { button, context, message, section, type BlockMessage, type Button, type ButtonOptions } from './blocks.ts';
import { buttonRow, messageOf, note, prose, sentence } from './paragraphs.ts';
import type { CommandText } from '../commands/command-text.ts';
import type { CommandHelp } from '../commands/command-words.ts';
import type { UserError } from './faults.ts';
import type { RequiredRole } from '../../base/roles.ts';
import { markup, own, type Markup } from '../../base/text/markup.ts';

/** Clicking it runs the command in its value. */
export const RUN_COMMAND_ACTION = 'quartermaster_run_command';

/** One sentence. */
export function plainMessage(said: string | Markup): BlockMessage {
  return messageOf(prose(markup`${own(said)}`));
}

const ROLE_WORDS: Record<RequiredRole, string> = {
  member: 'members of this workspace',
  manager: 'managers and admins of Quartermaster',
  admin: 'admins of Quartermaster',
  nobody: 'nobody here',
};

/** @example roleSentence('/digest', 'manager') // '/digest is for managers and admins of Quartermaster. Ask one of them.' */
export function roleSentence(
  what: string,
  role: RequiredRole,
  { verb = 'is', instead = 'Ask one of them.' }: { verb?: 'is' | 'are'; instead?: string } = {},
): string {
  if (role === 'nobody') return `${what} ${verb} switched off here. The operator of Quartermaster can switch it on.`;
  return `${what} ${verb} for ${ROLE_WORDS[role]}. ${instead}`;
}

/** @example oldButtonSentence('/usage') // what is said to a click on a button that another version made */
export function oldButtonSentence(command: string): string {
  return `This button is from an older version. Run ${command} again.`;
}

export function faultMessage({ sentence: why, reference }: UserError): BlockMessage {
  return message(markup`${why} (reference ${reference})`, [
    section(markup`${why}`),
    context(markup`Reference for the operator’s log: \`${reference}\``),
  ]);
}

/** Makes buttons that are about one thing each, by its id. @example const editButton = buttonAbout('digest_edit', 'Edit') */
export const buttonAbout =
  (actionId: string, label: string, style?: ButtonOptions['style']) =>
  (id: string, text = label): Button =>
    button({ text, actionId, value: id, ...(style ? { style } : {}) });

/** A button that runs a command as if it had been typed. */
export function runCommandButton(label: string, command: string, { text }: CommandText): Button {
  return button({ text: label, actionId: RUN_COMMAND_ACTION, value: JSON.stringify({ command, text }) });
}

/** None where the words cannot be written down. */
export function runCommandButtons(label: string, command: string, text: CommandText | undefined): Button[] {
  return text ? [runCommandButton(label, command, text)] : [];
}

const HELP_AUDIENCES: Record<RequiredRole, string> = {
  member: '',
  manager: 'For managers and admins.',
  admin: 'For admins.',
  nobody: 'Switched off here.',
};

/**
 * How a command is used, with whom it is for where a role is given; after something that was not understood with what that was, and a button for what was most likely
 * meant.
 */
export function helpMessage(
  help: CommandHelp,
  fault: { sentence?: string; corrected?: CommandText | undefined; role?: RequiredRole },
): BlockMessage {
  const { command, purpose, examples } = help;
  const audience = fault.role === undefined ? '' : HELP_AUDIENCES[fault.role];
  const corrected = fault.corrected && `${command} ${fault.corrected.text}`.trim();
  const meant = corrected === undefined ? '' : `Did you mean ${corrected}?`;
  const lines = examples.map(({ text, meaning }) => markup`\`${own(`${command} ${text}`.trim())}\`  ${own(meaning)}`);
  return messageOf(
    sentence(fault.sentence ? `${fault.sentence} ${meant}`.trim() : ''),
    buttonRow(...(fault.corrected ? [runCommandButton(`Run ${corrected}`, command, fault.corrected)] : [])),
    {
      blocks: [section([markup`*${own(command)}*  ${own(purpose)}`, ...lines])],
      lines: [`${command}: ${purpose}`, ...examples.map(({ text, meaning }) => `${command} ${text}: ${meaning}`)],
    },
    note(audience),
  );
}
