import { listOf, numberOf, recordOf, recordsOf, stringOf } from './json.ts';

export interface PlatformState {
  people: number | null;
  yesterday: string;
  isYesterdayPublished: boolean;
  heldDays: string[];
  revisedDays: string[];
  latestRevision: number | null;
  faults: string[];
  requests: { line: string; isSpoilt: boolean }[];
}

export function readPlatformState(answer: unknown): PlatformState {
  const state = recordOf(answer) ?? {};
  return {
    people: numberOf(state['people']),
    yesterday: stringOf(state['yesterday']),
    isYesterdayPublished: state['yesterdayPublished'] === true,
    heldDays: daysOf(state['heldDays']),
    revisedDays: daysOf(state['revisedDays']),
    latestRevision: numberOf(state['latestRevision']),
    faults: recordsOf(state['faults']).map((fault) => faultWords(fault)),
    requests: recordsOf(state['requests'])
      .map(({ method, path, status, fault }) => ({
        line: `${stringOf(method)} ${stringOf(path)} → ${numberOf(status) ?? '—'}${fault === undefined || fault === null ? '' : ` (${nameOf(fault)})`}`,
        isSpoilt: fault !== undefined && fault !== null,
      }))
      .toReversed(),
  };
}

const nameOf = (fault: unknown) => stringOf(fault, stringOf(recordOf(fault)?.['kind'], 'fault'));

/** Accepts a list of days, or an object with a day for each key. */
function daysOf(value: unknown): string[] {
  if (Array.isArray(value)) return listOf(value).map((day) => stringOf(day, stringOf(recordOf(day)?.['day'])));
  return Object.entries(recordOf(value) ?? {}).map(([day, factor]) =>
    typeof factor === 'number' ? `${day} × ${factor}` : day,
  );
}

function faultWords(fault: Record<string, unknown>): string {
  const chance = numberOf(fault['probability']);
  const times = numberOf(fault['times']);
  const path = stringOf(recordOf(fault['match'])?.['path']);
  return [
    stringOf(fault['kind']).replaceAll('_', ' '),
    numberOf(fault['status'])?.toString() ?? '',
    path === '' ? '' : `on ${path}`,
    times === null ? '' : `${times} times`,
    chance === null ? '' : `${Math.round(chance * 100)} % of requests`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Runs a control of the platform, then reads its state again. */
export type RunPlatform = (method: 'POST' | 'DELETE', path: string, body?: unknown) => void;
