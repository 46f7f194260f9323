/** Commands as separate words, not inside an address, path or word. A test compares the list with the manifest. */
const COMMAND =
  /(?<![\w/.~∼@-])\/(?=(?:usage|readiness|limits|session|computers|quartermaster|budget|digest|controls)(?![\w/-]))/g;

/** Follows the slash of a command in text from outside. Texts from outside never contain it, nor do sent texts. */
const SHIELD = '\u2060';
const SHIELDED = `/${SHIELD}`;

/**
 * Marks the commands in text from outside, so that they keep their names in any workspace.
 *
 * @example toWorkspaceNames(shieldCommands('why /usage?'), 'qm-') // 'why /usage?'
 */
export const shieldCommands = (text: string): string => text.replace(COMMAND, SHIELDED);

export function escapeShielded(text: string, escape: (part: string) => string): string {
  if (!text.includes(SHIELDED)) return escape(text);
  // The bars keep the space beside a command: without them it would be trimmed as the end of the text.
  const parts = text.split(SHIELDED).map((part) => escape(`|${part}|`).slice(1, -1));
  return parts.join(SHIELDED).trim();
}

/** @example toWorkspaceNames('Type /usage help.', 'qm-') // 'Type /qm-usage help.' */
export function toWorkspaceNames(text: string, prefix: string): string {
  const named = prefix === '' ? text : text.replace(COMMAND, `/${prefix}`);
  return named.replaceAll(SHIELDED, '/');
}

/** @example fromWorkspaceName('/qm-usage', 'qm-') // '/usage' */
export const fromWorkspaceName = (command: string, prefix: string): string =>
  prefix !== '' && command.startsWith(`/${prefix}`) ? `/${command.slice(prefix.length + 1)}` : command;
