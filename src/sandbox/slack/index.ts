import type { Server } from 'node:http';
import type { Clock } from '../clock.ts';
import { createMethods } from './api/index.ts';
import type { Sandbox } from './context.ts';
import { createControl } from './people/control.ts';
import type { Control, SlackEventKind, SlackEventOf } from './people/control-types.ts';
import { EventLog, type WaitOptions } from './model/event-log.ts';
import { Faults } from './model/faults.ts';
import { Gateway } from './transport/gateway.ts';
import { HttpTransport, type PostRequest } from './transport/http-transport.ts';
import { createIdentifiers } from './model/identifiers.ts';
import { RateLimiter } from './api/rate-limiter.ts';
import { APP, DEFAULT_EVENTS, DEFAULT_SCOPES, seedWorkspace, TEAM } from './model/seed.ts';
import { startServer, type ExtraRoutes } from './transport/server.ts';
import { SocketTransport } from './transport/socket-transport.ts';
import { Tickets } from './model/tickets.ts';
import { TrafficLog } from './model/traffic.ts';
import { Workspace } from './model/workspace.ts';

export type * from './people/control-types.ts';

const BOT_TOKEN = 'xoxb-sandbox-bot-token';
const APP_TOKEN = 'xapp-sandbox-app-token';
const SIGNING_SECRET = 'sandbox-signing-secret';

export interface SlackOptions {
  clock: Clock;
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The address in everything that it sends, if a proxy stands before it: `https://slack.acme.example`. */
  publicAddress?: string;
  /** The transport to the app; default: Socket Mode. */
  transport?: 'socket' | 'http';
  /** For HTTP: the app's address, `http://127.0.0.1:3000/slack/events`; can be set later with `setEventsUrl`. */
  eventsUrl?: string;
  /** For HTTP: sends the signed requests; default: the `fetch` of this process. */
  postRequest?: PostRequest;
  /** From 0 to below 1, for tokens and faults with a probability. */
  random?: () => number;
  /** The scopes of the bot token; default: those of the manifest. */
  scopes?: readonly string[];
  /** Events API events that the app subscribes to (`message.im`, `app_home_opened` …). */
  events?: readonly string[];
  /** Fills the empty workspace; default: team Acme. */
  workspace?: (workspace: Workspace) => void;
  /** Further routes on the same port, tried first. */
  extraRoutes?: ExtraRoutes;
}

export interface SandboxSlack {
  /** Base of the Web API, `http://127.0.0.1:PORT/api/`: `clientOptions.slackApiUrl` of Bolt. */
  apiUrl: string;
  /** `http://127.0.0.1:PORT` */
  address: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  control: Control;
  events: EventLog;
  faults: Faults;
  traffic: TrafficLog;
  /** The internal state, for reading. */
  workspace: Workspace;
  mark(): number;
  next<Kind extends SlackEventKind>(
    kinds: Kind | readonly Kind[],
    predicate?: (event: SlackEventOf<Kind>) => boolean,
    options?: WaitOptions,
  ): Promise<SlackEventOf<Kind>>;
  /** For HTTP: sets the addresses of the app, one for each replica. */
  setEventsUrl(...urls: string[]): void;
  close(): Promise<void>;
}

/**
 * Starts a strict, stateful Slack that works with the real, unchanged `@slack/bolt` and `@slack/web-api`.
 *
 * @throws if the port is taken
 * @example
 * const slack = await startSlack({ clock: realClock });
 * const app = new App({
 * token: slack.botToken, appToken: slack.appToken, socketMode: true,
 * clientOptions: { slackApiUrl: slack.apiUrl },
 * });
 * await app.start();
 * await slack.control.command({ as: 'mia', channel: 'general', command: '/usage' });
 * const answer = await slack.next('ephemeral');
 */
export async function startSlack(options: SlackOptions): Promise<SandboxSlack> {
  const { clock, port = 0, host = '127.0.0.1', transport = 'socket', random = Math.random } = options;
  let address = '';
  const log = new EventLog(() => clock.now());
  const identifiers = createIdentifiers(clock, random);
  const workspace = new Workspace({ team: TEAM, app: APP, scopes: options.scopes ?? DEFAULT_SCOPES, identifiers });
  (options.workspace ?? seedWorkspace)(workspace);
  const traffic = new TrafficLog(log, () => clock.now());
  const http = new HttpTransport(SIGNING_SECRET, options.postRequest);
  if (options.eventsUrl !== undefined) http.setUrls([options.eventsUrl]);
  const socket = transport === 'socket' ? new SocketTransport({ identifiers, log, appId: APP.id }) : undefined;
  const sandbox: Sandbox = {
    clock,
    identifiers,
    workspace,
    log,
    traffic,
    faults: new Faults(random),
    tickets: new Tickets(identifiers, () => clock.now().getTime()),
    gateway: new Gateway({ transport: socket ?? http, identifiers, log, traffic }),
    subscribedEvents: new Set(options.events ?? DEFAULT_EVENTS),
    address: () => options.publicAddress ?? address,
  };
  const control = createControl(sandbox, socket);
  const tokens = { botToken: BOT_TOKEN, appToken: APP_TOKEN };
  const methods = createMethods(socket && (() => socket.openTicket()));
  const limiter = new RateLimiter(workspace, clock);
  const extraRoutes = options.extraRoutes ?? (() => false);
  const server = await startServer({ sandbox, methods, limiter, control, socket, extraRoutes, ...tokens }, host, port);
  address = `http://${host}:${portOf(server)}`;
  return {
    ...tokens,
    signingSecret: SIGNING_SECRET,
    apiUrl: `${address}/api/`,
    address,
    control,
    events: log,
    faults: sandbox.faults,
    traffic,
    workspace,
    mark: () => log.mark(),
    next: (kinds, predicate, waiting) => log.next(kinds, predicate, waiting),
    setEventsUrl: (...urls) => http.setUrls(urls),
    close: () => closeAll(server, socket),
  };
}

function portOf(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

async function closeAll(server: Server, socket: SocketTransport | undefined): Promise<void> {
  socket?.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
