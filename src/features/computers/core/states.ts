import { median } from '../../../core/base/statistics.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';

export type Step = Computer['provisioningSteps'][number];

/** Three statuses of the platform are known; every other status counts as under way. */
export type Phase = 'problem' | 'under_way' | 'ready';

/** The progress of the steps, from their times and errors, because the values of a step’s status are not documented. */
export interface Progress {
  done: number;
  all: number;
  failed: Step | undefined;
  running: Step | undefined;
}

export function phaseOf({ status }: Pick<Computer, 'status'>): Phase {
  if (status === 'active') return 'ready';
  return status === 'error' ? 'problem' : 'under_way';
}

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

/** Whether its installation can be restarted without disturbing a running one. Pure. */
export function isRetryable(computer: Computer): boolean {
  return computer.status !== 'provisioning' || progressOf(computer.provisioningSteps).failed !== undefined;
}

/** Fewer milliseconds would be before March 1973, so the number is in seconds. The API documents the unit for reports only. */
const FIRST_MILLISECONDS = 100_000_000_000;

export function instantOf(value: number | null | undefined): Date | undefined {
  if (!isTime(value)) return undefined;
  const instant = new Date(value < FIRST_MILLISECONDS ? value * 1_000 : value);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** Differs whenever the platform reports something else about a computer. */
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

/** Returns the time from creation to the last step, by the platform’s own times. Pure. */
export function readyAfterMs({ createdAt, provisioningSteps }: Computer): number | undefined {
  const begunMs = instantOf(createdAt)?.getTime();
  const ends = provisioningSteps.flatMap(({ completedAt }) => instantOf(completedAt)?.getTime() ?? []);
  if (begunMs === undefined || ends.length === 0) return undefined;
  const tookMs = Math.max(...ends) - begunMs;
  return tookMs > 0 ? tookMs : undefined;
}

const FEWEST_COMPARED = 3;

export function medianMs(timesMs: readonly number[]): number | undefined {
  return timesMs.length < FEWEST_COMPARED ? undefined : Math.round(median(timesMs));
}
