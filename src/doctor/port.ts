import type { Logger } from '../log.ts';
import { startHttpServer } from '../http-server.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 3_000;

export type PortReading = { kind: 'free' } | { kind: 'ours' } | { kind: 'unusable'; sentence: string };

/** Listens for a moment where the bot is going to, and asks who is there when that fails. */
export async function readPort(port: number, log: Logger): Promise<PortReading> {
  try {
    const metrics = { render: () => Promise.resolve(''), contentType: 'text/plain' };
    const server = await startHttpServer({ port, checks: [], metrics, log });
    await server.close();
    return { kind: 'free' };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'PortError') throw error;
    return (await isOurs(port)) ? { kind: 'ours' } : { kind: 'unusable', sentence: error.message };
  }
}

async function isOurs(port: number): Promise<boolean> {
  try {
    const address = `http://127.0.0.1:${port}/healthz`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (await answer.text()).trim() === 'alive';
  } catch {
    return false;
  }
}

export function judgePort(port: number, reading: PortReading): Finding {
  if (reading.kind === 'unusable') return fault('PORT', reading.sentence);
  if (reading.kind === 'ours') return warning('PORT', `Quartermaster is running on port ${port} already.`);
  return ok('PORT', port === 0 ? 'Any free port will do.' : `Port ${port} is free.`);
}
