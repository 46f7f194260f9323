import type { Workspace } from './workspace.ts';

const MESSAGES_EVERY_MS = 1000;
const LIMITED: ReadonlySet<string> = new Set(['chat.postMessage', 'chat.postEphemeral']);

/** One message a second and channel, where the workspace is set to it. Real time: an app's haste is real. */
export class RateLimiter {
  readonly #workspace: Workspace;
  readonly #lastMs = new Map<string, number>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Seconds to wait (`Retry-After`); 0 if the call may go on. */
  take(method: string, channel: string): number {
    if (!this.#workspace.realisticRateLimits || !LIMITED.has(method)) return 0;
    const nowMs = performance.now();
    const lastMs = this.#lastMs.get(channel) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lastMs < MESSAGES_EVERY_MS) return 1;
    this.#lastMs.set(channel, nowMs);
    return 0;
  }
}
