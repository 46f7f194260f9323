import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import { MINUTE_MS } from '../../../src/core/base/time/durations.ts';
import { type LongLife, startLongLife } from './long-life.ts';

const FIRST_DAY = '2026-03-02';
const DAYS = 2;
/** The others have left when one of them is erased. */
const STAYING = 100;
const PROGRAM = join(import.meta.dirname, '../../../src/programs/erase/main.ts');

let life: LongLife;
afterEach(() => life.stop());

test('an erased person is nowhere in the memory of a running bot', async () => {
  life = await startLongLife(FIRST_DAY);
  for (let day = 0; day < DAYS; day += 1) await life.liveThrough(plusDays(FIRST_DAY, day));
  const email = life.platform().organization.people.at(-1)?.email ?? '';
  expect(await life.remembers(email)).toBe(true);
  await life.shrinkTo(STAYING);
  const env = { ...process.env, ...life.environment };
  const erased = await promisify(execFile)(process.execPath, [PROGRAM, 'erase', email, '--yes'], {
    cwd: life.folder,
    env,
  });
  expect(erased.stdout).toMatch(/^Erasure \w+:/m);
  life.passTime(2 * MINUTE_MS);
  for (const text of ['28d', 'people 28d', 'teams']) await life.type('morgan', '/usage', text);
  expect(await life.remembers(email)).toBe(false);
});
