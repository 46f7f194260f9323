import type { Feature } from '../core/feature.ts';
import type { Outbox } from '../core/outbox/attempts/worker.ts';
import type { Router } from '../core/slack/inbound/router.ts';
import type { checksOf } from './checks.ts';
import type { Guards } from './guards.ts';
import type { Ticker } from './ticker.ts';

/** Parts of the app that earlier parts call, but only once the app runs. */
interface Parts {
  features: readonly Feature[];
  router: Router;
  guards: Guards;
  outbox: Outbox;
  checks: ReturnType<typeof checksOf>;
  ticker: Ticker;
}

export interface LateParts {
  add(parts: Partial<Parts>): void;
  find<Name extends keyof Parts>(name: Name): Parts[Name] | undefined;
  /** Throws if an earlier part calls it during the start. */
  get<Name extends keyof Parts>(name: Name): Parts[Name];
}

export function createLateParts(): LateParts {
  const parts: Partial<Parts> = {};
  return {
    add: (more) => void Object.assign(parts, more),
    find: (name) => parts[name],
    get: (name) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`The part “${name}” is used before the app has started`);
      return part;
    },
  };
}
