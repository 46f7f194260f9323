import type { ServerResponse } from 'node:http';
import type { Logger } from '../base/log.ts';
import type { Route } from './server.ts';

export interface Check {
  /** One of `slack`, `platform`, `store`, `roles`, `controls`, `figures`, `readiness`, `work`. */
  name: string;
  /** @returns the fault, for the log; undefined if there is none */
  run: () => Promise<string | undefined>;
  /** True if the check needs no network. Its answer is then never cached, so that a change shows at once. */
  isLocal?: boolean;
  /** True if the check is listed only when it fails. */
  isQuiet?: boolean;
  /** True if people are still answered while it fails. The fault is shown, so it must consist of fixed words and codes. */
  isWarning?: boolean;
}

const CHECK_TIMEOUT_MS = 5_000;
const ANSWER_LIFE_MS = 1_000;

interface Answer {
  status: number;
  type: string;
  body: string;
}

export function healthRoute(): Route {
  return readRoute('/healthz', () =>
    Promise.resolve({ status: 200, type: 'text/plain; charset=utf-8', body: 'alive\n' }),
  );
}

/** `/readyz` answers in fixed words. Anyone may ask, so details are only in the log. */
export function readinessRoute(checks: readonly Check[], log: Logger): Route {
  const reported = new Map<string, string | undefined>();
  const report = (name: string, fault: string | undefined) => {
    if (reported.get(name) === fault) return;
    reported.set(name, fault);
    if (fault === undefined) log.info({ check: name }, 'Healthy again');
    else log.warn({ check: name, fault }, 'Unhealthy');
  };
  const answers = checks.map((check) => ({
    ...check,
    read: check.isLocal ? () => runCheck(check) : cachedBriefly(() => runCheck(check)),
  }));
  return readRoute('/readyz', async () => {
    // A local check is made when all others have answered: meanwhile, what it says may have changed.
    const others = Promise.all(answers.filter(({ isLocal }) => !isLocal).map(({ read }) => read()));
    const faults = await Promise.all(
      answers.map(async ({ read, ...check }) => {
        if (check.isLocal) await others;
        return { ...check, fault: await read() };
      }),
    );
    for (const { name, fault } of faults) report(name, fault);
    const listedFaults = faults.filter(({ isQuiet, fault }) => !isQuiet || fault !== undefined);
    const words = Object.fromEntries(
      listedFaults.map(({ name, isWarning, fault }) => [name, wordsOf(fault, isWarning)]),
    );
    const isReady = faults.every(({ fault, isWarning }) => fault === undefined || isWarning);
    return { status: isReady ? 200 : 503, type: 'application/json', body: `${JSON.stringify(words)}\n` };
  });
}

const wordsOf = (fault: string | undefined, isWarning: boolean | undefined) =>
  fault === undefined ? 'in order' : isWarning ? fault : 'not in order';

export function metricsRoute(metrics: { render(): Promise<string>; contentType: string }): Route {
  return readRoute(
    '/metrics',
    cachedBriefly(async () => ({ status: 200, type: metrics.contentType, body: await metrics.render() })),
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

/** A failure is not cached. */
function cachedBriefly<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let last: { answer: Promise<Value>; sinceMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (last && nowMs - last.sinceMs < ANSWER_LIFE_MS) return last.answer;
    const latest = { answer: read(), sinceMs: nowMs };
    last = latest;
    latest.answer.catch(() => {
      if (last === latest) last = undefined;
    });
    return latest.answer;
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
