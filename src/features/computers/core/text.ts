import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/base/time/durations.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { clip } from '../../../core/base/text/markup.ts';
import { barOf, countOf, formatNumber } from '../../../core/base/text/numbers.ts';
import { hasFailed, instantOf, isDone, isRunning, progressOf, type Step } from './states.ts';
import { withoutSecrets } from '../../../core/platform/redaction/visible-text.ts';

const MAX_ERROR_LENGTH = 280;
const MAX_STEP_LENGTH = 60;

/** @example durationWords(125_000) // '2 min 5 s' */
export function durationWords(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function ageWords({ createdAt }: Pick<Computer, 'createdAt'>, now: Date): string {
  const created = instantOf(createdAt);
  if (!created) return 'unknown';
  const ageMs = Math.max(0, now.getTime() - created.getTime());
  if (ageMs < MINUTE_MS) return 'under a minute';
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min`;
  if (ageMs < DAY_MS) return countOf(Math.floor(ageMs / HOUR_MS), 'hour');
  return countOf(Math.floor(ageMs / DAY_MS), 'day');
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  provisioning: 'being set up',
  active: 'ready',
  error: 'failed',
};

/** Returns an unknown status unchanged. @example statusWords({ status: 'active' }) // 'ready' */
export const statusWords = ({ status }: Pick<Computer, 'status'>) => STATUS_WORDS[status ?? ''] ?? status ?? 'unknown';

export const stepName = ({ name, id }: Step) => clip(name ?? id ?? 'a step without a name', MAX_STEP_LENGTH);

/** Errors quote commands, which may contain a password. */
export const errorWords = ({ error }: Step, maxLength = MAX_ERROR_LENGTH) =>
  clip(withoutSecrets(error ?? ''), maxLength);

export function stepWords(computer: Computer): string {
  const { failed, running } = progressOf(computer.provisioningSteps);
  if (failed) return `${stepName(failed)}: failed`;
  return running ? stepName(running) : '–';
}

/** @example stepLine(step) // '✅ Start the machine, completed, 20 s' */
export function stepLine(step: Step): string {
  const mark = hasFailed(step) ? '❌' : isDone(step) ? '✅' : isRunning(step) ? '⏳' : '▫️';
  const words = [stepName(step), clip(step.status ?? '', MAX_STEP_LENGTH), stepDurationWords(step)].filter(
    (text) => text !== '',
  );
  return `${mark} ${words.join(', ')}`;
}

export function stepDurationWords({ startedAt, completedAt }: Step): string {
  const [from, to] = [instantOf(startedAt), instantOf(completedAt)];
  return from && to ? durationWords(to.getTime() - from.getTime()) : '';
}

/** @example progressWords(computer) // '█████░░░░░  2 of 4 steps done' */
export function progressWords({ provisioningSteps }: Computer): string {
  const { done, all } = progressOf(provisioningSteps);
  const words = all === 0 ? 'no step is known yet' : `${formatNumber(done)} of ${countOf(all, 'step')} done`;
  return `${barOf(done, all)}  ${words}`;
}
