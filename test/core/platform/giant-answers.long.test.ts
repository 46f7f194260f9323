import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const report = z.object({ outcomes: z.array(z.string()), idleMb: z.number(), highestMb: z.number() });
const PROGRAM = fileURLToPath(new URL('giant-answers-process.ts', import.meta.url));

test.each([13, 30])(
  '%d MB of well-formed JSON from any endpoint is refused within 150 MB over idle',
  async (megabytes) => {
    const { stdout } = await run(process.execPath, ['--max-old-space-size=1024', PROGRAM, String(megabytes)]);
    const { outcomes, idleMb, highestMb } = report.parse(JSON.parse(stdout));
    process.stdout.write(`${megabytes} MB: ${(highestMb - idleMb).toFixed(0)} MB of heap over idle at most\n`);
    expect(outcomes.length).toBeGreaterThan(40);
    expect(
      outcomes.filter((outcome) => !/: (wrong_shape|cut_body|overloaded|answer|endless_body)$/.test(outcome)),
    ).toEqual([]);
    expect(highestMb - idleMb).toBeLessThan(150);
  },
  120_000,
);
