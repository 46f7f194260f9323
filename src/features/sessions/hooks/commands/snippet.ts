import { HOOKS_PATH } from '../../../../core/http/hooks-address.ts';
import { EVENT_NAMES } from '../core/event.ts';

/** Holds addresses and tokens on a person’s computer. Commands appear in the platform’s analytics; these files do not. */
export const TOKEN_FOLDER = '~/.quartermaster';

/** The client stops a command after this time. */
const TIMEOUT_SECONDS = 6;
/** For the exchange of the setup code. */
const SETUP_SECONDS = 2;
/** For events that notify a person. */
const NOTIFYING_SECONDS = 3;
/** For events that are only counted: they are frequent, and an agent must not wait for them. */
const COUNTING_SECONDS = 1;
const COUNTED = new Set(['PostToolUse', 'SubagentStop']);
/** These come in every session, so that the others need no setup. */
const SETTING_UP = new Set(['Notification', 'Stop']);
/** Larger than any answer of the bot. */
const MAX_ANSWER_BYTES = 4_096;

export interface Connection {
  /** From the settings, without any character that a shell interprets. */
  url: string;
  code: string;
}

/** A file for each code, because a new code revokes the token in the file of the one before. */
const tokenFile = ({ code }: Connection): string => code.slice(4, 12);

/**
 * Exchanges the setup code for a token, and writes it to a file that only its owner can read, as settings of curl. The
 * token appears in no command; only characters of a token are written.
 */
function setupCommand(connection: Connection): string {
  const address = `${connection.url}${HOOKS_PATH}`;
  const lines = [
    `url=${address.replaceAll('%', '%%')}`,
    'oauth2-bearer=%s',
    'data-binary=@-',
    `max-filesize=${MAX_ANSWER_BYTES}`,
  ];
  const exchange = `curl -qgsfm${SETUP_SECONDS} -X POST --oauth2-bearer ${connection.code} ${address} </dev/null`;
  return `t=$(${exchange}); case $t in *[!A-Za-z0-9_-]*);; qmh_*) printf '${lines.join(String.raw`\n`)}' $t >${tokenFile(connection)};; esac`;
}

/**
 * Returns the command that the client runs for each event, with the event on standard input. It always exits with 0 and
 * prints nothing. `-q` ignores the person’s own curl settings, so that it follows no redirect.
 */
function hookCommand(event: string, connection: Connection): string {
  const file = tokenFile(connection);
  const folder = SETTING_UP.has(event)
    ? `umask 077; mkdir -p ${TOKEN_FOLDER}; cd ${TOKEN_FOLDER} && { [ -s ${file} ] || { ${setupCommand(connection)}; }; } && `
    : `cd ${TOKEN_FOLDER} && `;
  const seconds = COUNTED.has(event) ? COUNTING_SECONDS : NOTIFYING_SECONDS;
  return `(${folder}curl -qgsm${seconds} -K ./${file}) >/dev/null 2>&1 || :`;
}

function entryOf(event: string, connection: Connection): string {
  const hook = { type: 'command', command: hookCommand(event, connection), timeout: TIMEOUT_SECONDS };
  return `    ${JSON.stringify(event)}: [{ "hooks": [${JSON.stringify(hook)}] }]`;
}

/** The settings of the client, with everything that it needs. */
export function hookSettings(connection: Connection): string {
  return `{\n  "hooks": {\n${EVENT_NAMES.map((event) => entryOf(event, connection)).join(',\n')}\n  }\n}`;
}
