import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { PostRequest } from '../../src/sandbox/slack/transport/http-transport.ts';

export const requestSchema = z.object({
  id: z.number(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

const reportSchema = z.object({ id: z.number(), status: z.number(), text: z.string(), durationMs: z.number() });
export type CourierReport = z.infer<typeof reportSchema>;

/** Delivers requests from a process of its own, each over a new connection. */
export interface Courier {
  post: PostRequest;
  /** How long each request took since the last call, in milliseconds. */
  takeDurations(): number[];
  stop(): Promise<void>;
}

export function startCourier(): Courier {
  const child = fork(new URL('courier-process.ts', import.meta.url), { execArgv: [] });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (report: CourierReport) => void>();
  let durations: number[] = [];
  let lastId = 0;
  child.on('message', (message) => {
    const report = reportSchema.parse(message);
    durations.push(report.durationMs);
    waiting.get(report.id)?.(report);
    waiting.delete(report.id);
  });
  return {
    post: (request) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        child.send({ id: lastId, ...request });
      }),
    takeDurations: () => {
      const taken = durations;
      durations = [];
      return taken;
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
