import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/core/base/time/durations.ts';
import { type RunningProgram, buildImage, startProgram } from './programs.ts';
import type { Result } from './reports.ts';
import { median } from './statistics.ts';

/** Before this, a process still compiles what it has run, and collects the garbage of its start. */
const SETTLING_MS = 2 * MINUTE_MS;
/** A tick of the clock of `/proc`, on every Linux. */
const TICK_MS = 10;
const HIGHEST_RATIO = 0.4;

interface Contestant {
  name: string;
  program: RunningProgram;
  cpuMs: number[];
}

/**
 * The processor time of a minute without any request, of the image and of a bare Bolt app, side by side in the same minutes.
 *
 * @param before the root of an earlier version to compare with, where `npm ci` has run
 */
export async function reportIdle(minutes: number, before?: string): Promise<Result> {
  await buildImage();
  const image = await startProgram('image');
  const contestants: Contestant[] = [{ name: 'image', program: image, cpuMs: [] }];
  if (before !== undefined) {
    const root = resolve(before);
    await buildImage(root);
    contestants.push({ name: 'image before', program: await startProgram('image', root), cpuMs: [] });
  }
  contestants.push({ name: 'Bolt, acknowledging', program: await startProgram('bare'), cpuMs: [] });
  try {
    await delay(SETTLING_MS);
    for (let minute = 0; minute < minutes; minute += 1) {
      const begun = contestants.map(({ program }) => cpuMsOf(program));
      await delay(MINUTE_MS);
      for (const [index, { program, cpuMs }] of contestants.entries())
        cpuMs.push(cpuMsOf(program) - (begun[index] ?? 0));
    }
  } finally {
    await Promise.all(contestants.map(({ program }) => program.stop()));
  }
  const figures = Object.fromEntries(contestants.map(({ name, cpuMs }) => [name, Math.round(median(cpuMs))]));
  const ratio = (figures['image'] ?? 0) / (figures['image before'] ?? Infinity);
  const isMissed = before !== undefined && ratio > HIGHEST_RATIO;
  return {
    figures: { idle: figures },
    lines: [
      `Processor time of a minute without requests, median of ${minutes}:`,
      ...Object.entries(figures).map(([name, ms]) => `  ${name.padEnd(20)} ${ms} ms`),
    ],
    faults: isMissed
      ? [`an idle minute takes ${ratio.toFixed(2)} times the time before; ${HIGHEST_RATIO} is allowed`]
      : [],
  };
}

/** Of all threads, since the start. */
function cpuMsOf({ pid }: RunningProgram): number {
  // The name of the program, in brackets, may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [userTicks, systemTicks] = [fields[11], fields[12]].map(Number);
  return TICK_MS * ((userTicks ?? 0) + (systemTicks ?? 0));
}
