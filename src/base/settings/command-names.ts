/**
 * The program’s own commands, wherever one stands in a text by itself: not inside an address, a path or a longer word. A test
 * holds them against the manifest.
 */
const COMMAND =
  /(?<![\w/.~∼@-])\/(?=(?:usage|readiness|limits|session|computers|quartermaster|budget|digest|controls)(?![\w/-]))/g;

/** Stands behind the slash of a command that somebody else wrote; no text from outside holds it, and none leaves with it. */
const SHIELD = '\u2060';
const SHIELDED = `/${SHIELD}`;

/**
 * Keeps what people and the platform wrote as it is: a command in it is theirs, whatever ours are called.
 *
 * @example toWorkspaceNames(shieldCommands('why /usage?'), 'qm-') // 'why /usage?'
 */
export const shieldCommands = (text: string): string => text.replace(COMMAND, SHIELDED);

/** Escapes a text of the program, parts of which may be somebody else’s. */
export function escapeShielded(text: string, escape: (part: string) => string): string {
  if (!text.includes(SHIELDED)) return escape(text);
  // Between bars, so that the space beside a command is not taken for one at the end of the text.
  const parts = text.split(SHIELDED).map((part) => escape(`|${part}|`).slice(1, -1));
  return parts.join(SHIELDED).trim();
}

/**
 * A text of the program with its commands as they are called in this workspace.
 *
 * @example toWorkspaceNames('Type /usage help.', 'qm-') // 'Type /qm-usage help.'
 */
export function toWorkspaceNames(text: string, prefix: string): string {
  const named = prefix === '' ? text : text.replace(COMMAND, `/${prefix}`);
  return named.replaceAll(SHIELDED, '/');
}

/** The program’s own name of a command that was typed in this workspace. */
export const fromWorkspaceName = (command: string, prefix: string): string =>
  prefix !== '' && command.startsWith(`/${prefix}`) ? `/${command.slice(prefix.length + 1)}` : command;
