import { DAY_MS, HOUR_MS } from '../../base/time/durations.ts';
import type { PlatformError, PlatformErrorCode } from '../errors.ts';

/** Operations that a platform may have beyond the contract. */
export const OPTIONAL_OPERATIONS = ['limits', 'roster'] as const;
export type OptionalOperation = (typeof OPTIONAL_OPERATIONS)[number];

/**
 * `reads`: its answer is used. `none`: the platform does not have it. `lost`: it had it until a day ago at most.
 * `refused`: it is there, but not for this key. `failed`: the last answer said nothing.
 */
export type CapabilityState = 'reads' | 'none' | 'lost' | 'refused' | 'failed';

export interface Capability {
  state: CapabilityState;
  /** When this state began. */
  since: Date;
  askedAt: Date;
  /** The last answer that could be used; undefined if there was none, or if it is lost for good. */
  readAt: Date | undefined;
  /** Why, in the words of the platform or of this program, without secrets. */
  reason: string | undefined;
}

/** What an answer says about whether the platform has an operation. */
export interface Answer {
  kind: 'read' | 'gone' | 'refused' | 'failed';
  reason: string | undefined;
}

/** The platform may repair within this time what looks like the end of an operation. */
const LOST_FOR_MS = DAY_MS;
/** Jobs run within seconds of their time, so a little less than the whole interval has passed. */
const NOT_QUITE_MS = HOUR_MS / 2;

const GONE: ReadonlySet<PlatformErrorCode> = new Set(['not_found', 'moved_away', 'not_json']);
const GONE_STATUS: ReadonlySet<number> = new Set([405, 410, 501]);
/** The platform refuses the request, and will refuse it again. */
const REFUSED: ReadonlySet<PlatformErrorCode> = new Set(['unauthorized', 'forbidden', 'invalid_request', 'conflict']);

/** @example answerOf(new PlatformError({ code: 'forbidden', … })) // { kind: 'refused', … } */
export function answerOf(error: PlatformError): Answer {
  const reason = error.statement ?? (error.status === undefined ? error.code : `status ${error.status}`);
  if (GONE.has(error.code) || (error.status !== undefined && GONE_STATUS.has(error.status)))
    return { kind: 'gone', reason };
  if (REFUSED.has(error.code) || error.status === 402) return { kind: 'refused', reason };
  return { kind: 'failed', reason };
}

/** Returns the state after an answer. Pure. */
export function nextCapability(before: Capability | undefined, answer: Answer, now: Date): Capability {
  const { kind, reason } = answer;
  const readAt = kind === 'read' ? now : before?.readAt;
  const enter = (state: CapabilityState, isForgotten = false): Capability => ({
    state,
    since: before?.state === state ? before.since : now,
    askedAt: now,
    readAt: isForgotten ? undefined : readAt,
    reason,
  });
  switch (kind) {
    case 'read':
      return enter('reads');
    case 'refused':
      return enter('refused');
    case 'failed':
      // An outage does not end the wait for an operation that was lost.
      return enter(before?.state === 'lost' ? 'lost' : 'failed');
    case 'gone': {
      if (readAt === undefined) return enter('none');
      const isOver = before?.state === 'lost' && now.getTime() - before.since.getTime() >= LOST_FOR_MS;
      return isOver ? enter('none', true) : enter('lost');
    }
    default:
      return kind satisfies never;
  }
}

/** Whether the answers of the operation are used: also the last one, while it fails or is lost. */
export const showsLimits = (capability: Capability | undefined): boolean =>
  capability?.readAt !== undefined && capability.state !== 'none' && capability.state !== 'refused';

/** Whether it is asked again now: hourly, and daily if the platform does not have it. */
export function isDue({ state, askedAt }: Capability, now: Date): boolean {
  return now.getTime() - askedAt.getTime() >= (state === 'none' ? DAY_MS : HOUR_MS) - NOT_QUITE_MS;
}
