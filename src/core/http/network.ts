import type { Socket } from 'node:net';
import { Agent, buildConnector, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { delegateTo } from '../base/delegate-handler.ts';
import { ProxyError } from './connection-fault.ts';
import { createProxyChoice, nameProxy, type ProxySettings } from './proxies.ts';

/** undici waits five minutes for a proxy that takes a request for a tunnel and never answers. */
const TUNNEL_TIMEOUT_MS = 10_000;

export interface ConnectionOptions {
  /** The most connections to one origin; default: no limit. */
  connections?: number;
  /** The most requests that wait for their answers on one connection. */
  pipelining?: number;
  /** 0: no limit. */
  headersTimeout?: number;
  bodyTimeout?: number;
  connectTimeoutMs?: number;
  /** Whether the other side may choose HTTP/2; default: yes. */
  allowH2?: boolean;
  /** Called with each connection to the other side, through a proxy or not, and with each that failed. */
  onConnection?: (result: Socket | Error) => void;
}

/** The only way out for requests over HTTP, so that the proxies of the settings hold for all of them. */
export interface Network {
  createAgent(options?: ConnectionOptions): Agent;
  /** For all requests that need no connections of their own. */
  readonly agent: Agent;
  /** The name of the proxy on the way to an address, such as `proxy.acme.example:3128`; undefined if there is none. */
  proxyOf(address: string): string | undefined;
  /** Ends the connections of `agent`. */
  close(): Promise<void>;
}

export function createNetwork(settings: ProxySettings): Network {
  const chooseProxy = createProxyChoice(settings);
  const createAgent: Network['createAgent'] = (options = {}) =>
    new Agent({
      factory: (origin, ofRequest) => {
        const proxy = chooseProxy(new URL(origin));
        // undici repeats a request without HTTP/2 if the other side asks for it.
        const isRepeated = 'allowH2' in ofRequest && ofRequest.allowH2 === false;
        const own = isRepeated ? { ...options, allowH2: false } : options;
        return proxy ? new NamedProxyAgent(proxy, own) : openPool(origin, own, connectorOf(own));
      },
    });
  const agent = createAgent();
  return {
    createAgent,
    agent,
    close: () => agent.destroy(),
    proxyOf: (address) => {
      const proxy = chooseProxy(new URL(address));
      return proxy && nameProxy(proxy);
    },
  };
}

/** For tests, and for programs without the settings of proxies. */
export const directNetwork = createNetwork({ httpsProxy: undefined, httpProxy: undefined, noProxy: undefined });

const connectorOf = ({ allowH2, connectTimeoutMs }: ConnectionOptions): buildConnector.connector =>
  buildConnector({
    ...(allowH2 === undefined ? {} : { allowH2 }),
    ...(connectTimeoutMs === undefined ? {} : { timeout: connectTimeoutMs }),
  });

function openPool(origin: string | URL, options: ConnectionOptions, connect: buildConnector.connector): Pool {
  const { connectTimeoutMs: _, onConnection, ...ofPool } = options;
  if (!onConnection) return new Pool(origin, { ...ofPool, connect });
  return new Pool(origin, {
    ...ofPool,
    connect: (to, callback) =>
      connect(to, (...result) => {
        onConnection(result[0] ?? result[1]);
        callback(...result);
      }),
  });
}

/** undici hands over the function that opens a tunnel, or a connection to the proxy. */
function connectorIn(given: object): buildConnector.connector {
  if ('connect' in given && isConnector(given.connect)) return given.connect;
  throw new TypeError('undici gave no way to connect through the proxy');
}

const isConnector = (value: unknown): value is buildConnector.connector => typeof value === 'function';

/** The connections through a proxy have the options of those without one, and their errors name the proxy. */
class NamedProxyAgent extends ProxyAgent {
  readonly #name: string;

  constructor(proxy: URL, options: ConnectionOptions) {
    const name = nameProxy(proxy);
    const { connectTimeoutMs: connectTimeout } = options;
    super({
      uri: proxy.href,
      ...(connectTimeout === undefined ? {} : { connectTimeout }),
      proxyTls: { allowH2: false },
      // To the other side, whose connections are tunnels, or to the proxy, which forwards requests.
      factory: (origin, given) => {
        const connect = connectorIn(given);
        return openPool(origin, options, String(origin) === proxy.href ? namingErrors(connect, name) : connect);
      },
      clientFactory: (address, given) => new TunnelPool(name, address, connectorIn(given)),
    });
    this.#name = name;
  }

  /** For a login that is refused without a tunnel, undici has no error of its own. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, {
      ...delegateTo(handler),
      onResponseError: (controller, error) =>
        handler.onResponseError?.(
          controller,
          error.message === LOGIN_REFUSED ? new ProxyError(this.#name, 407) : error,
        ),
    });
  }
}

const LOGIN_REFUSED = 'Proxy Authentication Required (407)';

const namingErrors =
  (connect: buildConnector.connector, name: string): buildConnector.connector =>
  (to, callback) =>
    connect(to, (...[error, socket]) => {
      if (error) callback(new ProxyError(name, undefined, { cause: error }), null);
      else callback(null, socket);
    });

/** The connections to a proxy on which tunnels are opened. */
class TunnelPool extends Pool {
  readonly #name: string;

  constructor(name: string, address: URL, connect: buildConnector.connector) {
    super(address, { connect, allowH2: false, headersTimeout: TUNNEL_TIMEOUT_MS });
    this.#name = name;
  }

  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  override connect(): void;
  override async connect(options?: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    if (!options) throw new TypeError('A tunnel needs an address');
    const answer = await super.connect(options).catch((error: unknown) => {
      throw new ProxyError(this.#name, undefined, { cause: error });
    });
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => {}).destroy();
    throw new ProxyError(this.#name, answer.statusCode);
  }
}
