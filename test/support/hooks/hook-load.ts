import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { withHooks, type HookSession } from '../../../src/features/sessions/hooks/core/session-tables.ts';
import { readDatabase } from '../stores/databases.ts';
import { stops, tool, waits, type Sent } from './hooks.ts';

/** A client of one person: its sessions one event after another, as a computer sends them. */
export interface Client {
  owner: string;
  handle: string;
  token: string;
  sessions: readonly string[];
}

/** The known state of a session's events. */
interface Sending {
  tools: { taken: number; unknown: number };
  /** The last question whose 204 arrived. */
  question: string | undefined;
}

export interface Load {
  clients: readonly Client[];
  /** The current address for events; it changes with each new bot. */
  url: () => string | undefined;
  events: number;
  durationMs: number;
  /** A server that does nothing, called at each event too, which measures the machine. */
  bareUrl?: string;
}

export interface LoadOutcome {
  statuses: Map<number | 'none', number>;
  /** The accepted events, in order. */
  latenciesMs: number[];
  /** The events during which the server that does nothing answered within a few milliseconds. */
  calmLatenciesMs: number[];
  sendings: Map<string, Sending>;
}

/** A server that does nothing answers within this time if no other program takes the processor. */
const CALM_MS = 4;

const KINDS = ['tool', 'tool', 'waits', 'tool', 'stops'] as const;

/** Sends events evenly over a time, whatever their outcome; nothing is repeated, as in the snippet. */
export async function sendLoad({ clients, url, events, durationMs, bareUrl }: Load): Promise<LoadOutcome> {
  const dispatcher = new Agent({ connections: 64 });
  const outcome: LoadOutcome = { statuses: new Map(), latenciesMs: [], calmLatenciesMs: [], sendings: new Map() };
  const chains = new Map<string, Promise<void>>();
  const startMs = performance.now();
  for (let index = 0; index < events; index += 1) {
    const client = clients[index % clients.length];
    const session = client?.sessions[Math.floor(index / clients.length) % client.sessions.length];
    if (!client || session === undefined) throw new Error('There is no client');
    const waitMs = startMs + (index / events) * durationMs - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const bareMs = bareUrl === undefined ? Promise.resolve(Infinity) : timeOf(bareUrl, dispatcher);
    const sending = { client, session, index, url, dispatcher, bareMs };
    chains.set(session, sendAfter(chains.get(session), outcome, sending));
  }
  await Promise.all(chains.values());
  await dispatcher.destroy();
  for (const all of [outcome.latenciesMs, outcome.calmLatenciesMs]) all.sort((one, other) => one - other);
  return outcome;
}

async function timeOf(url: string, dispatcher: Agent): Promise<number> {
  const startMs = performance.now();
  await post(url, 'none', tool('bare'), dispatcher);
  return performance.now() - startMs;
}

interface OneSending {
  client: Client;
  session: string;
  index: number;
  url: Load['url'];
  dispatcher: Agent;
  bareMs: Promise<number>;
}

/** A client sends the events of a session one after another. */
async function sendAfter(before: Promise<void> | undefined, outcome: LoadOutcome, sending: OneSending): Promise<void> {
  await before;
  const tookMs = await sendOne(outcome, sending);
  const isCalm = (await sending.bareMs) < CALM_MS;
  if (isCalm && tookMs !== undefined) outcome.calmLatenciesMs.push(tookMs);
}

async function sendOne(
  { statuses, latenciesMs, sendings }: LoadOutcome,
  { client, session, index, url, dispatcher }: OneSending,
): Promise<number | undefined> {
  const kind = KINDS[Math.floor(index / 7) % KINDS.length] ?? 'tool';
  const question = `Question ${index}`;
  const sending = sendings.get(session) ?? { tools: { taken: 0, unknown: 0 }, question: undefined };
  sendings.set(session, sending);
  const events: Record<typeof kind, Sent> = {
    tool: tool(session),
    waits: waits(session, question),
    stops: stops(session),
  };
  const startMs = performance.now();
  const address = url();
  const status = address === undefined ? 'none' : await post(address, client.token, events[kind], dispatcher);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const tookMs = performance.now() - startMs;
  if (status === 204) latenciesMs.push(tookMs);
  if (status === 204 && kind === 'waits') sending.question = question;
  if (kind === 'tool' && status === 204) sending.tools.taken += 1;
  if (kind === 'tool' && status === 'none') sending.tools.unknown += 1;
  return status === 204 ? tookMs : undefined;
}

async function post(url: string, token: string, event: Sent, dispatcher: Agent): Promise<number | 'none'> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(event),
      dispatcher,
      signal: AbortSignal.timeout(3_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 'none';
  }
}

/** Events that were answered with 204 and are missing in the store, or are there more than once. */
export function lostEvents(sendings: LoadOutcome['sendings'], rows: readonly HookSession[]): string[] {
  return [...sendings].flatMap(([session, { tools }]) => {
    const stored = rows.find(({ sessionId: id }) => id === session)?.toolCalls ?? 0;
    const isRight = stored >= tools.taken && stored <= tools.taken + tools.unknown;
    return isRight ? [] : [`${session}: ${stored} stored, ${tools.taken} taken, ${tools.unknown} unknown`];
  });
}

export async function storedSessions(databaseUrl: string): Promise<HookSession[]> {
  const db = readDatabase(databaseUrl);
  try {
    return await withHooks(db).selectFrom('hookSessions').selectAll().execute();
  } finally {
    await db.destroy();
  }
}

/** The cards in the direct messages of all clients, by session. */
export async function cardsOf(slack: SandboxSlack, clients: readonly Client[]): Promise<Map<string, MessageView[]>> {
  const all: [session: string, card: MessageView][] = [];
  for (const { handle, sessions } of clients) {
    const { channels } = await slack.control.state({ as: handle });
    const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
    for (const message of messages.filter(({ threadTs, ts }) => threadTs === null || threadTs === ts)) {
      const session = sessions.find((one) => JSON.stringify(message.blocks).includes(`\`${one}\``));
      all.push([session ?? 'of an unknown session', message]);
    }
  }
  return new Map(
    [...Map.groupBy(all, ([session]) => session)].map(([key, pairs]) => [key, pairs.map(([, card]) => card)]),
  );
}

/** People with a client each; the caller creates their tokens. */
export async function addClients(
  slack: SandboxSlack,
  count: number,
  sessionsEach: number,
): Promise<Omit<Client, 'token'>[]> {
  const clients: Omit<Client, 'token'>[] = [];
  for (let index = 0; index < count; index += 1) {
    const handle = `dev${index}`;
    await slack.control.addPerson({ handle, name: `Dev ${index}`, email: `${handle}@acme.example` });
    const owner = slack.workspace.findPerson(handle)?.id ?? '';
    const sessions = Array.from({ length: sessionsEach }, (_, one) => `s-${index}-${one}`);
    clients.push({ owner, handle, sessions });
  }
  return clients;
}

export async function startBareServer(): Promise<{ url: string; close: () => void }> {
  const child = fork(new URL('bare-server.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await once(child, 'message');
  const { port } = z.object({ port: z.int() }).parse(message);
  return { url: `http://127.0.0.1:${port}/`, close: () => child.disconnect() };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
