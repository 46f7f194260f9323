import { expect, test } from 'vitest';
import daily from '../vitest.config.ts';
import long from '../vitest.long.config.ts';
import { pathsOf, readText } from './parsing/sources.ts';

/** Each test file of a configuration, once for each project that runs it. */
function runsOf({ test: options }: typeof daily): string[] {
  const projects = options?.projects?.flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
  );
  return (projects ?? [options ?? {}]).flatMap(({ include, exclude }) => {
    const excluded = new Set(pathsOf(exclude ?? []));
    return pathsOf(include ?? []).filter((file) => !excluded.has(file));
  });
}

const isNightly = (file: string) => file.endsWith('.nightly.test.ts');

test('every test file is run once by `npm test`, or else by `npm run test:long`', () => {
  const all = pathsOf('test/**/*.test.ts').filter((file) => !file.startsWith('test/chaos/'));
  const isLong = (file: string) => /\.(?:long|slow|measured)\.test\.ts$/.test(file);
  expect(runsOf(daily).toSorted()).toEqual(all.filter((file) => !isLong(file) && !isNightly(file)).toSorted());
  expect(new Set(all.filter(isLong)).difference(new Set(runsOf(long)))).toEqual(new Set());
});

test('`npm run test:long` tries more of the generated cases than `npm test`, and at night all of them', () => {
  const inLongRun = new Set(runsOf(long));
  const shortened = pathsOf('test/**/*.test.ts').filter((file) =>
    /(?:numRuns: |= )propertyRuns\(|\(shareOf\(| of shareOf\(/.test(readText(file)),
  );
  expect(
    shortened.filter((file) => !inLongRun.has(file) && !isNightly(file) && !file.startsWith('test/chaos/')),
  ).toEqual([]);
});

test('no test waits for a program on its own thread without a limit of time', () => {
  const waiting = pathsOf('test/**/*.ts').filter((file) => /\b(?:exec|execFile|spawn)Sync\(/.test(readText(file)));
  expect(waiting).toEqual(['test/support/processes/limited.ts']);
});
