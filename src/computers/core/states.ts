import { median } from '../../base/statistics.ts';
import type { Computer } from '../../platform/endpoints/computers.ts';

export type Step = Computer['provisioningSteps'][number];

/** What a computer is up to. Of the platform's statuses three are known; any other one counts as under way. */
export type Phase = 'problem' | 'under_way' | 'ready';

/** How far the steps are. The values of a step's status are not shown, so its times and its error decide. */
export interface Progress {
  done: number;
  all: number;
  /** The first that failed. */
  failed: Step | undefined;
  /** The one that was begun and has not ended. */
  running: Step | undefined;
}

/** Pure. */
export function phaseOf({ status }: Pick<Computer, 'status'>): Phase {
  if (status === 'active') return 'ready';
  return status === 'error' ? 'problem' : 'under_way';
}

/** Pure. */
export function progressOf(steps: readonly Step[]): Progress {
  return {
    done: steps.filter(isDone).length,
    all: steps.length,
    failed: steps.find(hasFailed),
    running: steps.find((step) => isRunning(step)),
  };
}

export const hasFailed = ({ error }: Step) => typeof error === 'string' && error !== '';
export const isDone = (step: Step) => isTime(step.completedAt) && !hasFailed(step);
export const isRunning = (step: Step) => isTime(step.startedAt) && !isTime(step.completedAt) && !hasFailed(step);

const isTime = (value: number | null | undefined): value is number => typeof value === 'number' && value > 0;

/** Whether its installation can be restarted without disturbing one that runs. Pure. */
export function isRetryable(computer: Computer): boolean {
  return computer.status !== 'provisioning' || progressOf(computer.provisioningSteps).failed !== undefined;
}

/** Below this a number of milliseconds would be of 1973: then they are seconds. The unit is shown for reports only. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A time of the platform; nothing if it is none. */
export function instantOf(value: number | null | undefined): Date | undefined {
  if (!isTime(value)) return undefined;
  const instant = new Date(value < FIRST_MILLISECONDS ? value * 1_000 : value);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** Changes whenever the platform says something else about a computer. */
export function rawFingerprint({ status, hostname, provisioningSteps }: Computer): string {
  const steps = provisioningSteps.map(({ id, name, status: state, error, startedAt, completedAt }) => [
    id ?? name,
    state,
    error,
    startedAt,
    completedAt,
  ]);
  return JSON.stringify([status, hostname, steps]);
}

/** How long it took from its creation to its last step, by the platform's own times. Pure. */
export function readyAfterMs({ createdAt, provisioningSteps }: Computer): number | undefined {
  const begunMs = instantOf(createdAt)?.getTime();
  const ends = provisioningSteps.flatMap(({ completedAt }) => instantOf(completedAt)?.getTime() ?? []);
  if (begunMs === undefined || ends.length === 0) return undefined;
  const tookMs = Math.max(...ends) - begunMs;
  return tookMs > 0 ? tookMs : undefined;
}

const FEWEST_COMPARED = 3;

/** The median, once there are enough to compare with. Pure. */
export function usualMs(timesMs: readonly number[]): number | undefined {
  return timesMs.length < FEWEST_COMPARED ? undefined : Math.round(median(timesMs));
}
