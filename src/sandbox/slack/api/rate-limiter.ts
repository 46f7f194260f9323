import type { Clock } from '../../clock.ts';
import type { Workspace } from '../model/workspace.ts';

const MESSAGES_EVERY_MS = 1000;
const LIMITED: ReadonlySet<string> = new Set(['chat.postMessage', 'chat.postEphemeral']);
const MINUTE_MS = 60_000;

/** Slack's rate limits, if the workspace enables them. */
export class RateLimiter {
  readonly #workspace: Workspace;
  readonly #clock: Clock;
  readonly #lastMs = new Map<string, number>();
  readonly #callsMs = new Map<string, number[]>();

  constructor(workspace: Workspace, clock: Clock) {
    this.#workspace = workspace;
    this.#clock = clock;
  }

  /** Returns the seconds to wait (`Retry-After`); 0 if the call may proceed. */
  take(method: string, channel: string): number {
    return this.#takeOfMinute(method) || this.#takeOfChannel(method, channel);
  }

  /** Limits the calls of a method per minute, by the workspace's clock, which a test may move. */
  #takeOfMinute(method: string): number {
    const limit = this.#workspace.callsAMinute.get(method);
    if (limit === undefined) return 0;
    const nowMs = this.#clock.now().getTime();
    const recent = (this.#callsMs.get(method) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
    const [oldestMs] = recent;
    this.#callsMs.set(method, recent);
    if (oldestMs !== undefined && recent.length >= limit) return Math.ceil((oldestMs + MINUTE_MS - nowMs) / 1000);
    recent.push(nowMs);
    return 0;
  }

  /** Limits messages to one per second and channel, in real time: the pace of an app is real. */
  #takeOfChannel(method: string, channel: string): number {
    if (!this.#workspace.realisticRateLimits || !LIMITED.has(method)) return 0;
    const nowMs = performance.now();
    const lastMs = this.#lastMs.get(channel) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - lastMs < MESSAGES_EVERY_MS) return 1;
    this.#lastMs.set(channel, nowMs);
    return 0;
  }
}
