/** `npm run manifest -- [--prefix qm-] [--http https://…]`: prints the manifest of the Slack app that fits the settings. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCommandPrefix, readToolsForSlack, settingOf, type SettingFault } from '../../core/base/settings/config.ts';
import { readEnvironment } from '../../core/base/settings/environment.ts';
import { TOOLS_PATH } from '../../core/http/tools-address.ts';
import { fitManifest } from './manifest.ts';

const USAGE = `Give at most these:
  --prefix qm-                  is put before the name of each command; default: COMMAND_PREFIX
  --http https://bot.example.com   where Slack reaches the bot, for HTTP in place of Socket Mode
`;

/** @throws TypeError for unknown options */
function readWords() {
  const { values } = parseArgs({ options: { prefix: { type: 'string' }, http: { type: 'string' } } });
  return values;
}

function end(sentence: string): never {
  process.stderr.write(sentence);
  process.exit(2);
}

const endWith = (faults: readonly SettingFault[]): never =>
  end(`${faults.map(({ name, sentence }) => `${settingOf(name)} ${sentence}.`).join('\n')}\n`);

function toolsAddressOf(url: string | undefined): string | undefined {
  if (url === undefined || url.startsWith('https:')) return url && `${url}${TOOLS_PATH}`;
  return end('MCP_URL does not begin with https://, so Slackbot can’t use it.\n');
}

/** Slack accepts only encrypted addresses. */
function readAddress(text: string): string {
  const isFit = URL.canParse(text) && new URL(text).protocol === 'https:' && !/[\s?#]/.test(text);
  if (!isFit) return end('--http is no address such as https://bot.example.com.\n');
  const { origin, pathname } = new URL(text);
  if (pathname !== '/') return end(`--http is an address without a path: ${origin}.\n`);
  return origin;
}

function print(words: ReturnType<typeof readWords>): void {
  const { environment } = readEnvironment(process.env);
  const prefix = readCommandPrefix(words.prefix ?? environment['COMMAND_PREFIX']);
  if (!prefix.ok) return endWith(prefix.faults);
  const tools = readToolsForSlack(environment);
  if (!tools.ok) return endWith(tools.faults);
  const isOverHttp = Boolean(environment['SLACK_SIGNING_SECRET']) && !environment['SLACK_APP_TOKEN'];
  if (isOverHttp && words.http === undefined)
    return end(
      'SLACK_APP_TOKEN is not set, so Slack reaches the bot over HTTP: add --http https://… with its address.\n',
    );
  const httpAddress = words.http === undefined ? undefined : readAddress(words.http);
  const text = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
  process.stdout.write(
    fitManifest(text, {
      commandPrefix: prefix.value,
      httpAddress,
      answersWords: environment['WORDS'] !== 'false',
      toolsAddress: toolsAddressOf(tools.url),
    }),
  );
}

let words: ReturnType<typeof readWords>;
try {
  words = readWords();
} catch {
  end(USAGE);
}
print(words);
