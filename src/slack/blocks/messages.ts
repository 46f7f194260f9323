import { actions, button, context, message, section, type BlockMessage, type Button } from './blocks.ts';
import type { CommandText } from '../commands/command-text.ts';
import type { CommandHelp } from '../commands/command-words.ts';
import type { UserError } from './faults.ts';
import type { Role } from '../../roles.ts';
import { joinMarkup, markup, markupLines, type Markup } from '../../markup.ts';

/** Clicking it runs the command in its value. */
export const RUN_COMMAND_ACTION = 'quartermaster_run_command';

/** One sentence. */
export function plainMessage(sentence: string | Markup): BlockMessage {
  const said = markup`${sentence}`;
  return message(said, [section(said)]);
}

const ROLE_WORDS: Record<Role, string> = {
  member: 'members of this workspace',
  manager: 'managers and admins of Quartermaster',
  admin: 'admins of Quartermaster',
};

/** @example roleSentence('/digest', 'manager') // '/digest is for managers and admins of Quartermaster. Ask one of them.' */
export function roleSentence(what: string, role: Role): string {
  return `${what} is for ${ROLE_WORDS[role]}. Ask one of them.`;
}

export function faultMessage({ sentence, reference }: UserError): BlockMessage {
  return message(markup`${sentence} (reference ${reference})`, [
    section(markup`${sentence}`),
    context(markup`Reference for the operator’s log: \`${reference}\``),
  ]);
}

/** A button that runs a command as if it had been typed. */
export function runCommandButton(label: string, command: string, { text }: CommandText): Button {
  return button({ text: label, actionId: RUN_COMMAND_ACTION, value: JSON.stringify({ command, text }) });
}

/** None where the words cannot be written down. */
export function runCommandButtons(label: string, command: string, text: CommandText | undefined): Button[] {
  return text ? [runCommandButton(label, command, text)] : [];
}

/**
 * How a command is used; after something that was not understood with what that was, and a button for what was most likely
 * meant.
 */
export function helpMessage(
  help: CommandHelp,
  fault: { sentence?: string; corrected?: CommandText | undefined },
): BlockMessage {
  const lines = help.examples.map(({ text, meaning }) => markup`\`${`${help.command} ${text}`.trim()}\`  ${meaning}`);
  const blocks = [];
  const corrected = fault.corrected && `${help.command} ${fault.corrected.text}`.trim();
  const texts: string[] = [];
  if (fault.sentence) {
    const meant = corrected === undefined ? '' : `Did you mean ${corrected}?`;
    blocks.push(section(markup`${fault.sentence} ${meant}`));
    texts.push(`${fault.sentence} ${meant}`.trim());
  }
  if (fault.corrected) blocks.push(actions(runCommandButton(`Run ${corrected}`, help.command, fault.corrected)));
  blocks.push(section(joinMarkup([markup`*${help.command}*  ${help.purpose}`, ...lines], '\n')));
  texts.push(
    `${help.command}: ${help.purpose}`,
    ...help.examples.map(({ text, meaning }) => `${help.command} ${text}: ${meaning}`),
  );
  return message(markupLines(texts), blocks);
}
