/** Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { Arrival, SocketFault } from '../people/control-types.ts';
import type { EventLog } from '../model/event-log.ts';
import {
  ACKNOWLEDGE_WITHIN_MS,
  millisecondsSince,
  type Answer,
  type Envelope,
  type Outcome,
  type Transport,
} from './gateway.ts';
import type { Identifiers } from '../model/identifiers.ts';

const MAX_CONNECTIONS = 10;
const PING_EVERY_MS = 5000;

const acknowledgement = z.looseObject({ envelope_id: z.string(), payload: z.unknown().optional() });

interface Connection {
  socket: WebSocket;
  /** The TCP stream below it. */
  stream: Duplex;
  isSilent: boolean;
  /** The app was asked to disconnect: further envelopes go to another connection, if there is one. */
  isLeaving: boolean;
  /** By the id of the envelope. */
  waiting: Map<string, (answer: Answer) => void>;
}

export class SocketTransport implements Transport {
  readonly name = 'socket';
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #connections: Connection[] = [];
  readonly #tickets = new Set<string>();
  readonly #leftOpen = new Set<Duplex>();
  /** Of this turn. Building fifty takes longer than the app’s answers, so they are written after the last one is built. */
  #unsent: (() => void)[] = [];
  readonly #pings: NodeJS.Timeout;
  readonly #identifiers: Identifiers;
  readonly #log: EventLog;
  readonly #appId: string;
  #turn = 0;
  #isRefusing = false;
  #withholdsHello = false;

  constructor({ identifiers, log, appId }: { identifiers: Identifiers; log: EventLog; appId: string }) {
    this.#identifiers = identifiers;
    this.#log = log;
    this.#appId = appId;
    this.#pings = setInterval(() => this.#pingAll(), PING_EVERY_MS);
    this.#pings.unref();
  }

  connections(): number {
    return this.#connections.length;
  }

  /** Returns a path that opens one connection, once, as in the answer of apps.connections.open. */
  openTicket(): string {
    const ticket = this.#identifiers.token(32);
    this.#tickets.add(ticket);
    return `/link/?ticket=${ticket}&app_id=${this.#appId}`;
  }

  /** Upgrades an HTTP connection to a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', 'http://localhost').searchParams.get('ticket') ?? '';
    if (this.#isRefusing || !this.#tickets.delete(ticket)) {
      this.#log.add({ kind: 'connection', what: 'refused', connections: this.connections() });
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket, socket));
  }

  #accept(socket: WebSocket, stream: Duplex): void {
    const connection: Connection = { socket, stream, isSilent: false, isLeaving: false, waiting: new Map() };
    socket.on('ping', (data: Buffer) => {
      if (!connection.isSilent && socket.readyState === socket.OPEN) socket.pong(data);
    });
    socket.on('error', () => socket.terminate());
    if (this.#connections.length >= MAX_CONNECTIONS) {
      disconnect(socket, 'too_many_websockets');
      return;
    }
    this.#connections.push(connection);
    socket.on('message', (data: Buffer) => this.#onMessage(connection, data.toString('utf8')));
    socket.on('close', () => this.#remove(connection));
    if (!this.#withholdsHello) socket.send(JSON.stringify(hello(this.#appId, this.#connections.length)));
    socket.ping();
    this.#log.add({ kind: 'connection', what: 'opened', connections: this.connections() });
  }

  #remove(connection: Connection): void {
    const index = this.#connections.indexOf(connection);
    if (index === -1) return;
    this.#connections.splice(index, 1);
    this.#log.add({ kind: 'connection', what: 'closed', connections: this.connections() });
  }

  #onMessage(connection: Connection, text: string): void {
    if (connection.isSilent) return;
    const message = acknowledgement.safeParse(parseJson(text));
    if (!message.success) return;
    connection.waiting.get(message.data.envelope_id)?.({ response: withoutEmpty(message.data.payload) });
  }

  send(envelope: Envelope): Promise<Outcome> {
    return this.#sendOver(this.#inTurn()[0], envelope);
  }

  sendersOf(envelope: Envelope, arrivals: readonly Arrival[]): (() => Promise<Outcome>)[] {
    const chosen = this.#inTurn();
    return arrivals.map((arrival, index) => () => {
      const own = chosen[index % Math.max(1, chosen.length)];
      const isOpen = own !== undefined && this.#connections.includes(own);
      return this.#sendOver(isOpen ? own : this.#inTurn()[0], envelope, arrival);
    });
  }

  /** The usable connections, beginning with another one each time. */
  #inTurn(): Connection[] {
    const staying = this.#connections.filter(({ isLeaving }) => !isLeaving);
    const usable = staying.length > 0 ? staying : this.#connections;
    const first = this.#turn++ % Math.max(1, usable.length);
    return [...usable.slice(first), ...usable.slice(0, first)];
  }

  #sendOver(connection: Connection | undefined, envelope: Envelope, arrival?: Arrival): Promise<Outcome> {
    if (!connection) return Promise.resolve({ error: 'dispatch_failed', durationMs: 0 });
    const text = JSON.stringify(frame(envelope));
    const { cut, cutAfterMs = 0 } = arrival ?? {};
    return new Promise((resolve) => {
      let sentMs = performance.now();
      const finish = (answer: Answer) => {
        clearTimeout(timer);
        connection.waiting.delete(envelope.id);
        if (cut === 'after' || cut === 'lost') connection.socket.terminate();
        resolve({ ...(cut === 'lost' ? LOST : answer), durationMs: millisecondsSince(sentMs) });
      };
      const timer = setTimeout(() => finish({ error: 'operation_timeout' }), ACKNOWLEDGE_WITHIN_MS);
      connection.waiting.set(envelope.id, finish);
      this.#unsent.push(() => {
        sentMs = performance.now();
        if (!connection.isSilent) connection.socket.send(text);
        if (cut === 'before') setTimeout(() => cutUnanswered(connection, envelope), cutAfterMs);
      });
      if (this.#unsent.length === 1) setImmediate(() => this.#sendAll());
    });
  }

  #sendAll(): void {
    const sending = this.#unsent;
    this.#unsent = [];
    for (const send of sending) send();
  }

  /** Breaks every connection in one of Slack's ways, or in the network's. */
  break({ kind, refuseReconnects = false, withholdHello = false, leaveTcpOpen = false }: SocketFault): void {
    this.#isRefusing = refuseReconnects;
    this.#withholdsHello = withholdHello;
    for (const connection of this.#connections) {
      if (leaveTcpOpen) this.#leaveTcpOpen(connection);
      if (kind === 'silent') connection.isSilent = true;
      else if (kind === 'cut') connection.socket.terminate();
      else if (!connection.isLeaving) {
        connection.isLeaving = true;
        disconnect(connection.socket, kind);
      }
    }
  }

  restore(): void {
    this.#isRefusing = false;
    this.#withholdsHello = false;
  }

  /** After the closing handshake `ws` ends TCP by itself, and Slack does not. */
  #leaveTcpOpen({ stream }: Connection): void {
    this.#leftOpen.add(stream);
    stream.once('close', () => this.#leftOpen.delete(stream));
    stream.end = () => stream;
    stream.once('end', () => stream.destroy());
  }

  close(): void {
    clearInterval(this.#pings);
    for (const { socket, waiting } of this.#connections) {
      for (const finish of waiting.values()) finish(LOST);
      socket.terminate();
    }
    for (const stream of this.#leftOpen) stream.destroy();
    this.#server.close();
  }

  #pingAll(): void {
    for (const { socket, isSilent } of this.#connections) if (!isSilent) socket.ping();
  }
}

const LOST: Answer = { error: 'dispatch_failed' };

function cutUnanswered({ socket, waiting }: Connection, { id }: Envelope): void {
  const finish = waiting.get(id);
  if (!finish) return;
  socket.terminate();
  finish(LOST);
}

function hello(appId: string, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
  };
}

function frame(envelope: Envelope) {
  const retry = { retry_attempt: envelope.attempt, retry_reason: envelope.attempt > 0 ? 'timeout' : '' };
  return {
    envelope_id: envelope.id,
    type: envelope.type,
    payload: envelope.body,
    accepts_response_payload: envelope.acceptsResponse,
    ...(envelope.type === 'events_api' ? retry : {}),
  };
}

function disconnect(socket: WebSocket, reason: string): void {
  socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'sandbox' } }));
  // Slack closes the connection about ten seconds after a warning; the client is expected to leave before.
  const timer = setTimeout(() => socket.terminate(), 10_000);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

// The client sends `payload: {}` for an acknowledgement without a body.
function withoutEmpty(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null && Object.keys(payload).length > 0 ? payload : null;
}
