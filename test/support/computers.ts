import { z } from 'zod';
import type { MessageView } from '../../src/sandbox/slack/people/control-types.ts';
import { listNewestAuditEntries } from '../../src/core/store/audit.ts';
import { until } from './digests.ts';
import { moveClock } from './scene-clock.ts';
import { openByCommand, submitForm, textOfView } from './slack/modals.ts';
import type { TestApp } from './test-app.ts';

/** The values that a user types into the form of `/computers create`; the other fields keep their defaults. */
export interface ComputerChoices {
  name?: string;
  remoteUser?: string;
  provider?: 'any' | 'hosted' | 'byom';
  hostId?: string;
  repos?: string;
  install?: string[];
  /** `['follow']`: the card is posted in the channel. */
  follow?: string[];
}

export function computerForm(choices: ComputerChoices): Record<string, Record<string, string | string[]>> {
  const filled = { name: 'night-build', remoteUser: 'agent', ...choices };
  return Object.fromEntries(Object.entries(filled).map(([field, value]) => [field, { [field]: value }]));
}

/** Orders a computer by the form and returns the final text of the form. */
export async function askForComputer(scene: TestApp, choices: ComputerChoices = {}, as = 'mia', channel = 'general') {
  await openByCommand(scene.slack, as, '/computers', 'create', channel);
  return textOfView(await submitForm(scene.slack, as, computerForm(choices)));
}

const stateSchema = z.looseObject({ computers: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** The computers with that name on the platform. */
export async function computersNamed(platform: TestApp['platform'], name: string): Promise<string[]> {
  const answer = await fetch(`${platform.baseUrl}/_sandbox/state`);
  const { computers } = stateSchema.parse(await answer.json());
  return computers.filter((computer) => computer.name === name).map(({ id }) => id);
}

/** The number of creation requests to the platform. */
export const createRequests = ({ platform }: Pick<TestApp, 'platform'>) =>
  platform.requests.filter(({ method, path }) => method === 'POST' && path === '/api/v0/computers').length;

/** The watches, oldest first. */
export function watches(scene: TestApp) {
  return until(scene, (db) =>
    db
      .withTables<{ computerOrders: { id: string; state: string; name: string; createdAt: string } }>()
      .selectFrom('computerOrders')
      .select(['id', 'state', 'name'])
      .orderBy('createdAt')
      .execute(),
  );
}

/** The audit entries about computers, oldest first. */
export function auditOf(scene: TestApp) {
  return until(scene, (db) => listNewestAuditEntries(db, 'computers', 100));
}

/** Advances the time by this number of seconds. */
export function later(scene: Pick<TestApp, 'clock'>, seconds: number): Promise<void> {
  return moveClock(scene, new Date(scene.clock.now().getTime() + seconds * 1_000));
}

/** Advances the time, second by second, until a message fits. */
export async function whenMessage(
  scene: TestApp,
  kind: 'message' | 'message_updated',
  fits: (message: MessageView) => boolean,
  { since, stepSeconds = 20, most = 500 }: { since: number; stepSeconds?: number; most?: number },
): Promise<MessageView> {
  const found = scene.slack.next(kind, ({ message }) => fits(message), { since, timeoutMs: 60_000 });
  const over = new AbortController();
  const end = () => over.abort();
  void found.then(end, end);
  for (let steps = 0; !over.signal.aborted && steps < most; steps += 1) {
    await later(scene, stepSeconds);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return (await found).message;
}
