import type { ServerResponse } from 'node:http';
import type { Logger } from '../base/log.ts';
import type { Route } from './server.ts';

export interface Check {
  /** What is checked: `slack`, `platform`, `store`, `work`. */
  name: string;
  /** @returns what is wrong, for the log; nothing when it is in order */
  run: () => Promise<string | undefined>;
  /** It asks nobody, so its answer is never remembered: what it says is said at once. */
  isLocal?: boolean;
  /** It is named only when something is wrong with it. */
  isQuiet?: boolean;
}

const CHECK_TIMEOUT_MS = 5_000;
/** Asking often costs nothing more than asking once. */
const ANSWER_LIFE_MS = 1_000;

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** `/healthz`: the process is alive. */
export function healthRoute(): Route {
  return readRoute('/healthz', () =>
    Promise.resolve({ status: 200, type: 'text/plain; charset=utf-8', body: 'alive\n' }),
  );
}

/** `/readyz`: everything is in order, in fixed words. Anybody may ask, so what exactly is wrong stands in the log. */
export function readinessRoute(checks: readonly Check[], log: Logger): Route {
  const reported = new Map<string, string | undefined>();
  const report = (name: string, fault: string | undefined) => {
    if (reported.get(name) === fault) return;
    reported.set(name, fault);
    if (fault === undefined) log.info({ check: name }, 'In order again');
    else log.warn({ check: name, fault }, 'Not in order');
  };
  const answers = checks.map((check) => ({
    ...check,
    read: check.isLocal ? () => runCheck(check) : remembered(() => runCheck(check)),
  }));
  return readRoute('/readyz', async () => {
    const faults = await Promise.all(
      answers.map(async ({ name, isQuiet, read }) => ({ name, isQuiet, fault: await read() })),
    );
    for (const { name, fault } of faults) report(name, fault);
    const shown = faults.filter(({ isQuiet, fault }) => !isQuiet || fault !== undefined);
    const words = Object.fromEntries(
      shown.map(({ name, fault }) => [name, fault === undefined ? 'in order' : 'not in order']),
    );
    const isReady = faults.every(({ fault }) => fault === undefined);
    return { status: isReady ? 200 : 503, type: 'application/json', body: `${JSON.stringify(words)}\n` };
  });
}

/** `/metrics`, as Prometheus reads it. */
export function metricsRoute(metrics: { render(): Promise<string>; contentType: string }): Route {
  return readRoute(
    '/metrics',
    remembered(async () => ({ status: 200, type: metrics.contentType, body: await metrics.render() })),
  );
}

function readRoute(path: string, read: () => Promise<Answer>): Route {
  return {
    path,
    methods: ['GET', 'HEAD'],
    handle: async (_request, response: ServerResponse) => {
      const { status, type, body } = await read();
      response.writeHead(status, { 'content-type': type }).end(body);
    },
  };
}

/** One answer for all who ask within a second. A failure is not remembered. */
function remembered<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let last: { answer: Promise<Value>; sinceMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (last && nowMs - last.sinceMs < ANSWER_LIFE_MS) return last.answer;
    const made = { answer: read(), sinceMs: nowMs };
    last = made;
    made.answer.catch(() => {
      if (last === made) last = undefined;
    });
    return made.answer;
  };
}

export async function runCheck(check: Check): Promise<string | undefined> {
  const tooLate = new Promise<string>((resolve) => {
    setTimeout(() => resolve('does not answer in time'), CHECK_TIMEOUT_MS).unref();
  });
  return Promise.race([
    check.run().catch((error: unknown) => (error instanceof Error ? error.message : 'failed')),
    tooLate,
  ]);
}
