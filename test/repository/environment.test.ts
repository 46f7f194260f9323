import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig, SETTING_NAMES } from '../../src/base/settings/config.ts';
import { JOB_TIMES } from '../../src/schedule/job-times.ts';
import { readText } from './parsing/sources.ts';

/** The values that .env.example shows, whether commented out or not. */
const shown = parseEnv(readText('.env.example').replace(/^# (?=[A-Z_]+=)/gm, ''));
const required = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'secret',
  PLATFORM_BASE_URL: 'https://platform.example',
  PLATFORM_APP_URL: 'https://app.platform.example',
  PLATFORM_API_KEY: 'key',
};

/** The one spelling of a setting's name in Config and Secrets. */
function valueOf(settings: object, name: string): unknown {
  const camelCase = name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return new Map<string, unknown>(Object.entries(settings)).get(camelCase);
}

test('.env.example shows every setting, and no other', () => {
  expect(Object.keys(shown).toSorted()).toEqual(SETTING_NAMES.toSorted());
});

test('.env.example shows the defaults', () => {
  const byItself = readConfig(required);
  const asShown = readConfig({ ...shown, ...required });
  expect(byItself.ok).toBe(true);
  expect(asShown).toEqual(byItself);
});

test('settings that .env.example shows as empty have no default', () => {
  const settings = readConfig(required);
  if (!settings.ok) throw new Error('The required settings are not enough');
  const empty = Object.keys(shown).filter((name) => shown[name] === '' && !(name in required));
  const withDefault = empty.filter((name) => {
    const value = valueOf({ ...settings.config, ...settings.secrets }, name === 'TIMEZONE' ? 'TIME_ZONE' : name);
    return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  expect(withDefault).toEqual([]);
});

test('docs/settings.md has the defaults that .env.example shows', () => {
  const rows = readText('docs/settings.md').matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm);
  const documented = [...rows].flatMap(([, names = '', value = '']) =>
    [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => [name, /^`([^`]+)`/.exec(value)?.[1] ?? ''] as const),
  );
  const ofSettings = documented.filter(([name]) => SETTING_NAMES.some((one) => one === name));
  expect(Object.fromEntries(ofSettings)).toEqual(shown);
});

test('.env.example explains each setting', () => {
  const lines = readText('.env.example').split('\n');
  const unexplained = SETTING_NAMES.filter((name) => {
    const index = lines.findIndex((line) => new RegExp(`^(# )?${name}=`).test(line));
    return !/^# .{20,}\.$/.test(lines[index - 1] ?? '');
  });
  expect(unexplained).toEqual([]);
});

test('docs/operating.md shows each scheduled job with its time', () => {
  const rows = [...readText('docs/operating.md').matchAll(/^\| `([a-z-]+)` \| `([^`]+)` \| (.+) \|$/gm)];
  const documented = rows.map(([, name, cron, purpose]) => ({ name, cron, purpose }));
  expect(documented).toEqual(Object.entries(JOB_TIMES).map(([name, time]) => ({ name, ...time })));
});
