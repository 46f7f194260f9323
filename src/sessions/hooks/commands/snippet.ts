import { HOOKS_PATH } from '../../../http/hooks-address.ts';
import { EVENT_NAMES } from '../core/event.ts';

/** Where a computer keeps address and token; commands appear in the platform's analytics, and this file does not. */
export const TOKEN_FILE = '~/.quartermaster/hooks';

/** The client ends a command after so long. */
const TIMEOUT_SECONDS = 5;
const CONNECT_SECONDS = 1;
/** Of an event that somebody waits for. */
const TELLING_SECONDS = 3;
/** Of one that is only counted: it comes often, and an agent must not wait for it. */
const COUNTING_SECONDS = 1;
const COUNTED = new Set(['PostToolUse', 'SubagentStop']);
/** More than the bot ever answers. */
const MAX_ANSWER_BYTES = 4_096;

/**
 * The line that somebody runs once: it asks for the token and writes it, with the address, into a file that only they can read.
 * So the token is in no history of a shell and, as `printf` and `read` belong to the shell, in no list of processes.
 *
 * @param url of the settings: it holds nothing that a shell reads
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
 * What the client runs at each event, with the event on its standard input. It ends with 0 whatever happens, prints nothing, keeps
 * nothing, follows no redirect (`-q`: not even where somebody's own settings of curl say so), and holds neither token nor address.
 */
function hookCommand(event: string): string {
  const options = [
    '-q -g',
    `-K ${TOKEN_FILE}`,
    `--connect-timeout ${CONNECT_SECONDS}`,
    `--max-time ${COUNTED.has(event) ? COUNTING_SECONDS : TELLING_SECONDS}`,
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
