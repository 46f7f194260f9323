import { SETTING_NAMES } from '../../src/core/base/settings/config.ts';
import { codesIn, readText } from './parsing/sources.ts';

const HEAD = `# Every setting of Quartermaster, from docs/settings.md. Copy this file to .env and fill in the settings without a default.
# Lines that are commented out show the default. \`npm start\` and Docker read the file: write no comment after a value.
# Each secret can come from a file instead: SLACK_BOT_TOKEN_FILE and so on name that file.
# With Docker, compose.yml uses SQLite. For Postgres, add this line (compose.postgres.yml lists the other steps):
#   COMPOSE_FILE=compose.yml:compose.postgres.yml
`;

/** What `.env.example` has to be: the tables of docs/settings.md as lines of settings, each below its meaning. */
export function envExample(): string {
  const sections = readText('docs/settings.md').split(/^## /m).slice(1);
  return HEAD + sections.map((section) => linesOf(section)).join('');
}

function linesOf(section: string): string {
  const [title = '', ...lines] = section.split('\n');
  const settings = lines.flatMap((line) => {
    const [, names = '', value = '', meaning = ''] = /^\| (.+?) \| (.*?) \| (.+) \|$/.exec(line) ?? [];
    const [name = ''] = codesIn(names);
    return SETTING_NAMES.includes(name) ? [settingOf(name, value, meaning)] : [];
  });
  return settings.length === 0 ? '' : `\n# --- ${title} ---\n${settings.join('')}`;
}

function settingOf(name: string, value: string, meaning: string): string {
  const isRequired = /^required(?: for .+)?$/.test(value);
  const [, byDefault] = /^`([^`]+)`/.exec(value) ?? [];
  const words = meaning.replaceAll(/ \(\[[^)]*\)\)/g, '');
  const sentences = [
    ...(isRequired ? [`${sentence(value)} `] : []),
    sentence(words),
    ...(isRequired || byDefault !== undefined || value === '–' ? [] : [` Default: ${plain(value)}.`]),
  ];
  return `# ${sentences.join('')}\n${isRequired ? '' : '# '}${name}=${byDefault ?? ''}\n`;
}

/** A code at its beginning stays as it is. */
const sentence = (markdown: string) => `${plain(markdown.charAt(0).toUpperCase() + markdown.slice(1))}.`;
const plain = (markdown: string) => markdown.replaceAll('`', '');
