import { HOOKS_PATH } from '../../../http/hooks-address.ts';
import { EVENT_NAMES } from '../core/event.ts';

/** Holds address and token on a person’s computer. Commands appear in the platform’s analytics; this file does not. */
export const TOKEN_FILE = '~/.quartermaster/hooks';

/** The client stops a command after this time. */
const TIMEOUT_SECONDS = 5;
const CONNECT_SECONDS = 1;
/** For events that notify a person. */
const NOTIFYING_SECONDS = 3;
/** For events that are only counted: they are frequent, and an agent must not wait for them. */
const COUNTING_SECONDS = 1;
const COUNTED = new Set(['PostToolUse', 'SubagentStop']);
/** Larger than any answer of the bot. */
const MAX_ANSWER_BYTES = 4_096;

/**
 * The line asks for the token and writes it, with the address, to a file that only its owner can read. The token
 * appears in no shell history and, because `printf` and `read` are built into the shell, in no process list.
 * @param url from the settings, without any character that a shell interprets
 */
export function setupLine(url: string): string {
  const file = String.raw`url = %s\nheader = \"Authorization: Bearer %s\"\nheader = \"Content-Type: application/json\"\n`;
  const steps = [
    'umask 077',
    'mkdir -p ~/.quartermaster',
    'cd ~/.quartermaster',
    'rm -f hooks',
    'printf "Token: "',
    '{ stty -echo; read -r t; stty echo; :; } 2>/dev/null',
    `printf "${file}" "${url}${HOOKS_PATH}" "$t" > hooks`,
    String.raw`printf "\nSaved.\n"`,
  ];
  return `sh -c '${steps.join(' && ')}'`;
}

/**
 * Returns the command that the client runs for each event, with the event on standard input. It always exits with 0,
 * prints and stores nothing, and contains neither token nor address. `-q` ignores the person’s own curl settings, so
 * that it follows no redirect.
 */
function hookCommand(event: string): string {
  const options = [
    '-q -g',
    `-K ${TOKEN_FILE}`,
    `--connect-timeout ${CONNECT_SECONDS}`,
    `--max-time ${COUNTED.has(event) ? COUNTING_SECONDS : NOTIFYING_SECONDS}`,
    `--max-filesize ${MAX_ANSWER_BYTES}`,
    '--data-binary @-',
  ];
  return `curl ${options.join(' ')} >/dev/null 2>&1 || :`;
}

function entryOf(event: string): string {
  const hook = { type: 'command', command: hookCommand(event), timeout: TIMEOUT_SECONDS };
  return `    ${JSON.stringify(event)}: [{ "hooks": [\n      ${JSON.stringify(hook)}\n    ] }]`;
}

export function hookSettings(): string {
  return `{\n  "hooks": {\n${EVENT_NAMES.map((event) => entryOf(event)).join(',\n')}\n  }\n}`;
}
