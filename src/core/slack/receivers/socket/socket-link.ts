import { parseJson } from '../../../base/text/parse-json.ts';
import { z } from 'zod';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Dispatcher, ErrorEvent, MessageEvent, WebSocket, ping } from 'undici';
import { readConnectionFault } from '../../../http/connection-fault.ts';
import type { Network } from '../../../http/network.ts';

/** https://docs.slack.dev/apis/events-api/using-socket-mode */

const MAX_ID_LENGTH = 200;
const MAX_REASON_LENGTH = 100;

const envelopeSchema = z.looseObject({
  envelope_id: z.string().min(1).max(MAX_ID_LENGTH),
  payload: z.unknown(),
  retry_attempt: z.int().nonnegative().optional().catch(undefined),
  retry_reason: z.string().max(MAX_REASON_LENGTH).optional().catch(undefined),
});
const controlSchema = z.looseObject({ type: z.string(), reason: z.string().max(MAX_REASON_LENGTH).catch('') });

export interface Envelope {
  id: string;
  payload: unknown;
  retryNum?: number;
  retryReason?: string;
}

export type Frame =
  | { kind: 'hello' }
  /** Slack is about to close the connection: `warning`, `refresh_requested`, `link_disabled`, `too_many_websockets`. */
  | { kind: 'leave'; reason: string }
  | { kind: 'envelope'; envelope: Envelope }
  | { kind: 'other' };

/** An unknown shape is `other`, because there is no id to acknowledge. */
function readFrame(text: string): Frame {
  const json = parseJson(text);
  const envelope = envelopeSchema.safeParse(json);
  if (envelope.success) return { kind: 'envelope', envelope: envelopeOf(envelope.data) };
  const control = controlSchema.safeParse(json);
  if (control.data?.type === 'hello') return { kind: 'hello' };
  if (control.data?.type === 'disconnect') return { kind: 'leave', reason: control.data.reason };
  return { kind: 'other' };
}

function envelopeOf(frame: z.infer<typeof envelopeSchema>): Envelope {
  return {
    id: frame.envelope_id,
    payload: frame.payload,
    ...(frame.retry_attempt === undefined ? {} : { retryNum: frame.retry_attempt }),
    ...(frame.retry_reason === undefined ? {} : { retryReason: frame.retry_reason }),
  };
}

/** Each event except `envelope` occurs at most once, and `closed` is the last. */
export interface LinkEvents {
  opened: () => void;
  envelope: (envelope: Envelope) => void;
  /** Slack will close this connection soon, so another one should be opened. */
  closingSoon: (reason: string) => void;
  closed: (reason: string) => void;
}

export interface SocketLink {
  /** @returns `false` once the connection is closed: Slack shows the person an error */
  acknowledge(envelopeId: string, payload?: object): boolean;
  /** Cuts the connection if the closing handshake is not answered. */
  close(): void;
}

const GREETING_TIMEOUT_MS = 10_000;
/** Slack answers the closing handshake and leaves TCP open: slackapi/node-slack-sdk#2752. */
const CLOSE_TIMEOUT_MS = 1_000;
const PING_EVERY_MS = 2_000;
/** Pongs later than five seconds are common (slackapi/bolt-js#2496); this many in a row are missing after eight. */
const MAX_UNANSWERED_PINGS = 3;
const PONG_CHANNEL = 'undici:websocket:pong';

/**
 * Slack's own package closes its connection as soon as a close is announced, and waits until TCP is closed before it
 * opens another; here the supervisor decides. It uses real time, because a connection knows no other.
 */
export function openSocketLink(url: string, network: Network, on: LinkEvents): SocketLink {
  const { agent, gatherWrites, cutSocket, connectionFault } = createAgent(network);
  const webSocket = new WebSocket(url, { dispatcher: agent });
  let unansweredPings = 0;
  let isClosed = false;
  let closing: NodeJS.Timeout | undefined;

  const cut = (reason: string) => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(greeting);
    clearTimeout(closing);
    clearInterval(pings);
    unsubscribe(PONG_CHANNEL, onPong);
    cutSocket();
    on.closed(reason);
  };
  const onPong = (message: unknown) => {
    if (isAbout(message, webSocket)) unansweredPings = 0;
  };
  subscribe(PONG_CHANNEL, onPong);
  const greeting = setTimeout(() => cut('Slack did not greet the connection in time'), GREETING_TIMEOUT_MS);
  const pings = setInterval(() => {
    if (webSocket.readyState !== WebSocket.OPEN) return;
    // Counts pings instead of time, so that a stalled process does not blame the connection.
    if (unansweredPings > MAX_UNANSWERED_PINGS - 1) return cut('Slack does not answer on the connection');
    unansweredPings += 1;
    ping(webSocket);
  }, PING_EVERY_MS);

  const onFrame = (text: string) => {
    unansweredPings = 0;
    const frame = readFrame(text);
    if (frame.kind === 'envelope') return on.envelope(frame.envelope);
    if (frame.kind === 'leave') return on.closingSoon(frame.reason);
    if (frame.kind === 'hello') {
      clearTimeout(greeting);
      on.opened();
    }
  };
  webSocket.addEventListener('message', (event) => {
    if (event instanceof MessageEvent && typeof event.data === 'string') onFrame(event.data);
  });
  webSocket.addEventListener('error', (event) =>
    cut(connectionFault() || (event instanceof ErrorEvent && event.message) || 'The connection broke'),
  );
  webSocket.addEventListener('close', () => cut('The connection was closed'));

  return {
    acknowledge: (envelopeId, payload) => {
      if (isClosed || webSocket.readyState !== WebSocket.OPEN) return false;
      gatherWrites();
      webSocket.send(JSON.stringify({ envelope_id: envelopeId, ...(payload === undefined ? {} : { payload }) }));
      return true;
    },
    close: () => {
      if (isClosed || closing !== undefined) return;
      if (webSocket.readyState !== WebSocket.OPEN) return cut('It was closed before it was open');
      webSocket.close(1000);
      closing = setTimeout(() => cut('It was cut, because its closing was not answered'), CLOSE_TIMEOUT_MS);
    },
  };
}

/**
 * undici hides the socket of a WebSocket, but only the socket can be cut if the other side is silent, and only there can
 * frames be written together: the acknowledgements of a burst cost one system call instead of fifty.
 */
function createAgent(network: Network): {
  agent: Dispatcher;
  gatherWrites: () => void;
  cutSocket: () => void;
  /** Why there is no connection; empty if there is one. A WebSocket itself does not say it. */
  connectionFault: () => string;
} {
  let socket: Socket | undefined;
  let fault = '';
  let isGathering = false;
  const agent = network.createAgent({
    allowH2: false,
    onConnection: (result) => {
      if (!(result instanceof Error)) socket = result;
      else fault = readConnectionFault(result).advice ?? result.message;
    },
  });
  return {
    agent,
    connectionFault: () => fault,
    gatherWrites: () => {
      if (isGathering) return;
      isGathering = true;
      socket?.cork();
      queueMicrotask(() => {
        isGathering = false;
        socket?.uncork();
      });
    },
    cutSocket: () => {
      socket?.destroy();
      void agent.destroy();
    },
  };
}

/** Whether a message is about this WebSocket: the channel reports all WebSockets of the process. */
function isAbout(message: unknown, webSocket: WebSocket): boolean {
  return typeof message === 'object' && message !== null && 'websocket' in message && message.websocket === webSocket;
}
