import { hash } from '../model/random.ts';
import type { Credential } from '../routes/keys.ts';
import type { FaultKind } from './faults.ts';

export interface LoggedRequest {
  requestId: string;
  method: string;
  /** Without its query. */
  path: string;
  query: Record<string, string>;
  /** 0: the connection was broken instead; `undefined`: not answered yet. */
  status: number | undefined;
  body?: unknown;
  role?: Credential;
  fault?: FaultKind | undefined;
}

export interface RequestLog {
  /** The latest thousands, oldest first. */
  readonly entries: LoggedRequest[];
  begin(method: string, url: string): LoggedRequest;
  end(entry: LoggedRequest): void;
  /** Returns the most requests that were in the simulator at the same time. */
  mostInFlight(): number;
}

const MAX_ENTRIES = 20_000;

export function createRequestLog(seed: number): RequestLog {
  const entries: LoggedRequest[] = [];
  let count = 0;
  let inFlight = 0;
  let most = 0;
  return {
    entries,
    mostInFlight: () => most,
    begin: (method, url) => {
      const { pathname, searchParams } = new URL(url, 'http://platform.invalid');
      count += 1;
      inFlight += 1;
      most = Math.max(most, inFlight);
      const requestId = `req_${hash(seed, count, 81).toString(36)}`;
      const entry = { requestId, method, path: pathname, query: Object.fromEntries(searchParams), status: undefined };
      entries.push(entry);
      if (entries.length > MAX_ENTRIES) entries.splice(0, MAX_ENTRIES / 2);
      return entry;
    },
    end: () => {
      inFlight -= 1;
    },
  };
}
