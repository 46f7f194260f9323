import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTING_NAMES } from '../../src/core/base/settings/config.ts';
import { SCOPES_OF_TOOLS } from '../../src/programs/doctor/required-scopes.ts';
import { readUsableSettings } from '../../src/programs/doctor/settings.ts';
import { COVERAGE } from '../../src/sandbox/platform/coverage.ts';
import manifest from '../../package.json' with { type: 'json' };
import { PICTURED_TEXTS } from '../sandbox/recording/record-screens.ts';
import { envExample } from './env-example.ts';
import { DOCUMENTS, firstCodes, readText } from './parsing/sources.ts';

const { dependencies, devDependencies, optionalDependencies } = manifest;
const example = readText('.env.example');
/** The values that .env.example shows, whether commented out or not. */
const shown = parseEnv(example.replaceAll(/^# (?=[A-Z_]+=)/gm, ''));

/** The one spelling of a setting's name in Config and Secrets. */
function valueOf(settings: object, name: string): unknown {
  const camelCase = name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return new Map<string, unknown>(Object.entries(settings)).get(camelCase);
}

describe('.env.example', () => {
  test('shows every setting, and no other', () => {
    expect(Object.keys(shown).toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  test('shows the defaults', () => {
    const settings = readUsableSettings({});
    expect(readUsableSettings(shown)).toEqual(settings);
    const missing = new Set([...settings.unusable, 'SLACK_SIGNING_SECRET']);
    const empty = Object.keys(shown).filter((name) => shown[name] === '' && !missing.has(name));
    const withDefault = empty.filter((name) => {
      const value = valueOf({ ...settings.config, ...settings.secrets }, name === 'TIMEZONE' ? 'TIME_ZONE' : name);
      return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
    });
    expect(withDefault).toEqual([]);
  });

  test('explains each setting', () => {
    const isExplained = (name: string) => new RegExp(`^# .{20,}\\.\n(# )?${name}=`, 'm').test(example);
    expect(SETTING_NAMES.filter((name) => !isExplained(name))).toEqual([]);
  });
});

// After a change of a setting, `npm test -- test/repository/listings.test.ts -u` writes the file.
test('.env.example has what docs/settings.md says of each setting', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example');
});

test('docs/platform.md has a row for each operation of the platform, and for no other', () => {
  const described = firstCodes('docs/platform.md').flatMap((code) => {
    const [, method, path] = /^([A-Z]+) \{(?:base|app)\}(\S+)$/.exec(code) ?? [];
    return method === undefined ? [] : [`${method} ${path}`];
  });
  // Another test shows that the bot uses exactly these.
  const operations = COVERAGE.filter(({ parameter }) => parameter === undefined).map(({ operation }) => operation);
  expect(described.toSorted()).toEqual(operations.toSorted());
});

/** The longest address that common proxies and servers accept is 8,000 bytes. */
const LONGEST_ADDRESS = 8_000;

test('the README links to an app of this manifest, in an address that every server accepts', () => {
  const address = `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(parse(readText('manifest.yml'))))}`;
  // The parentheses of a text would end the link.
  const link = address.replaceAll(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  expect(link.length).toBeLessThan(LONGEST_ADDRESS);
  const [, linked] = /^\[create-app\]: (.*)$/m.exec(readText('README.md')) ?? [];
  expect(linked).toBe(link);
});

test('docs/permissions.md explains each scope and event of the manifest, and no other', () => {
  const { oauth_config, settings } = parse(readText('manifest.yml'));
  const asked: string[] = [
    ...oauth_config.scopes.bot,
    ...settings.event_subscriptions.bot_events,
    ...Object.keys(SCOPES_OF_TOOLS),
  ];
  expect(firstCodes('docs/permissions.md').toSorted()).toEqual(asked.toSorted());
});

test('docs/contributing.md lists every dependency in a table', () => {
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(new Set(names).difference(new Set(firstCodes('docs/contributing.md')))).toEqual(new Set());
});

test('every picture of a screen is one that npm run record takes, and a document shows it', () => {
  const shown = DOCUMENTS.flatMap((path) =>
    [...readText(path).matchAll(/screens\/([\w-]+\.png)/g)].map(([, name = '']) => name),
  );
  const taken = Object.keys(JSON.parse(readText(PICTURED_TEXTS)));
  expect([...new Set(shown)].toSorted()).toEqual(taken.toSorted());
});
