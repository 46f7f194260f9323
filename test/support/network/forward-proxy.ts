import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';

export interface ForwardProxy {
  port: number;
  /** Each request for a tunnel (`CONNECT slack.acme.example:443`) or for a page (`GET http://…`). */
  requests: string[];
  /** Closes every tunnel, as a proxy does that restarts. */
  cutTunnels(): void;
  close(): Promise<void>;
}

export interface ForwardProxyOptions {
  /** The ports of this machine on which hosts are served; no other host can be reached. */
  routes: Readonly<Record<string, number>>;
  /** `name:password` that the proxy asks for. */
  login?: string;
  /** The status with which it refuses every tunnel. */
  refusal?: number;
  /** It takes the request for a tunnel and never answers. */
  isSilent?: boolean;
  /** Reads requests over TLS, with this certificate. */
  secure?: { key: string; cert: string };
}

/** A proxy as companies have them, which opens tunnels to hosts that this machine itself does not know. */
export async function startForwardProxy(options: ForwardProxyOptions): Promise<ForwardProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = ({ headers }: IncomingMessage) =>
    options.login === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(options.login).toString('base64')}`;
  const portOf = (host: string) => options.routes[host];
  const server = options.secure ? createSecureServer(options.secure) : createServer();
  server.on('request', (request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`);
    const port = portOf(new URL(request.url ?? '').host);
    const refusal = isAllowed(request) ? 502 : 407;
    if (refusal === 407 || port === undefined) {
      response.writeHead(refusal).end('refused');
      return;
    }
    const { pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const path = pathname + search;
    const onward = forward({ port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    sockets.add(client);
    client.on('error', () => client.destroy());
    if (options.isSilent) return;
    const status = isAllowed(request) ? options.refusal : 407;
    const port = portOf((request.url ?? '').replace(/:443$/, ''));
    if (status !== undefined || port === undefined) {
      client.end(`HTTP/1.1 ${status ?? 502} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(onward).pipe(client);
    });
    sockets.add(onward);
    onward.on('error', () => client.destroy());
    onward.on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const cutTunnels = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    requests,
    cutTunnels,
    close: () =>
      new Promise((resolve) => {
        cutTunnels();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
