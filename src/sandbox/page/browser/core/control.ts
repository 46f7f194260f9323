import type { TourStep } from '../../tour-step.ts';
import type { Control, ControlResults, Snapshot } from '../../../slack/people/control-types.ts';
import { recordOf, stringOf, type Json } from './json.ts';

export type ControlAction = keyof Control;
/** The input of an action, except for the acting person. */
export type ActInput<Action extends ControlAction> = Omit<Parameters<Control[Action]>[0], 'as'>;

export class RefusedError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RefusedError';
    this.code = code;
  }
}

interface Answer<Result> {
  ok: boolean;
  result: Result;
  /** The sandbox's time. */
  now?: string;
  error?: string;
  message?: string;
}

const jsonHeaders = { 'content-type': 'application/json' };

/** Reads the answer of the sandbox. Rejects with a RefusedError after a refusal, or if it is not JSON. */
async function readAnswer<Result>(response: Response): Promise<Answer<Result>> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    throw new RefusedError(`http_${response.status}`, text.slice(0, 300));
  }
  const answer: Answer<Result> = JSON.parse(text);
  if (answer.ok) return answer;
  throw new RefusedError(answer.error ?? `http_${response.status}`, answer.message ?? 'The sandbox gave no reason');
}

export async function control<Action extends ControlAction>(
  action: Action,
  input: ActInput<Action> & { as?: string },
): Promise<ControlResults[Action]> {
  const response = await fetch(`/control/${action}`, {
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify(input),
  });
  return (await readAnswer<ControlResults[Action]>(response)).result;
}

export async function readSnapshot(as: string): Promise<Snapshot> {
  const response = await fetch(`/control/state?as=${encodeURIComponent(as)}`);
  return (await readAnswer<Snapshot>(response)).result;
}

export interface PageSettings {
  title: string;
  introduction: string;
  hints: string[];
  tour: TourStep[];
  roles: Record<string, string>;
  hasPlatform: boolean;
  hasSlackbot: boolean;
}

export async function readSettings(): Promise<PageSettings> {
  const response = await fetch('/sandbox/page');
  return (await readAnswer<PageSettings>(response)).result;
}

/** Reads the sandbox's clock, after moving it if requested. Returns milliseconds since 1970. */
export async function askClock(moveTo?: Date): Promise<number> {
  const response = await fetch(
    '/sandbox/clock',
    moveTo ? { method: 'POST', headers: jsonHeaders, body: JSON.stringify({ moveTo: moveTo.toISOString() }) } : {},
  );
  const { now = '' } = await readAnswer<undefined>(response);
  return Date.parse(now);
}

export interface SlackbotAnswer {
  /** The called tool with its words. */
  call: string;
  text: string;
  blocks: Json[];
}

export interface SlackbotClick {
  action_id: string;
  value: string;
}

/** Asks the simulated assistant as a person, or clicks a button of its answer. */
export async function askSlackbot(as: string, question: string | SlackbotClick): Promise<SlackbotAnswer> {
  const body = JSON.stringify({ as, question });
  const response = await fetch('/sandbox/slackbot', { method: 'POST', headers: jsonHeaders, body });
  return (await readAnswer<SlackbotAnswer>(response)).result;
}

/** Calls the platform's control: `askPlatform('GET', 'state')`. */
export async function askPlatform(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`/sandbox/platform/${path}`, {
    method,
    headers: jsonHeaders,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { detail, message } = recordOf(answer) ?? {};
  throw new RefusedError(`http_${response.status}`, stringOf(detail, stringOf(message, 'The platform gave no reason')));
}
