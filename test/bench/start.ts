import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { countAnswers } from './answers.ts';
import { typeCommand } from './commands.ts';
import { type Program, buildImage, startProgram } from './programs.ts';
import { median } from './statistics.ts';

/** By this time late modules are loaded, and garbage is collected. */
const SETTLING_MS = 5_000;
const COMMANDS = 200;

export interface Started {
  /** From the start of the process until it is ready. */
  readyMs: number;
  /** Resident memory some seconds later, in an idle process. */
  idleMb: number;
  /** Resident memory after 200 commands, one after the other. */
  usedMb: number;
}

/** Starts each program in turns and measures the time until its connection to Slack, and its memory. */
export async function measureStarts(rounds: number): Promise<Record<Program, Started>> {
  await buildImage();
  const measured: Record<Program, Started[]> = { image: [], sources: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const program of ['image', 'sources', 'bare'] as const) measured[program].push(await startOnce(program));
  }
  const middle = (of: readonly Started[]): Started => ({
    readyMs: Math.round(median(of.map(({ readyMs }) => readyMs))),
    idleMb: Math.round(median(of.map(({ idleMb }) => idleMb))),
    usedMb: Math.round(median(of.map(({ usedMb }) => usedMb))),
  });
  return { image: middle(measured.image), sources: middle(measured.sources), bare: middle(measured.bare) };
}

async function startOnce(program: Program): Promise<Started> {
  const { readyMs, pid, slack, stop } = await startProgram(program);
  try {
    await delay(SETTLING_MS);
    const idleMb = residentMb(pid);
    const answers = countAnswers(slack);
    for (let count = 1; count <= COMMANDS; count += 1) {
      await typeCommand({ slack }, count);
      if (program !== 'bare') await answers.reach(count);
    }
    answers.stop();
    return { readyMs, idleMb, usedMb: residentMb(pid) };
  } finally {
    await stop();
  }
}

function residentMb(pid: number): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
