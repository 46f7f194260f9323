import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { serveApi, type ApiParts } from '../api/api-route.ts';
import { serveControl, type ControlCalls } from './control-routes.ts';
import { serveFile, serveUpload } from '../api/file-routes.ts';
import { sendJson } from '../api/http-reply.ts';
import { serveResponseUrl } from '../api/response-route.ts';
import type { SocketTransport } from './socket-transport.ts';

/** Further routes on the same port; true if they have handled the request. */
export type ExtraRoutes = (request: IncomingMessage, response: ServerResponse) => boolean;

interface ServerParts extends ApiParts {
  control: ControlCalls;
  socket: SocketTransport | undefined;
  extraRoutes: ExtraRoutes;
}

export async function startServer(parts: ServerParts, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (parts.extraRoutes(request, response)) return;
    serve(parts, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'sandbox_bug', message });
      else response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (parts.socket && request.url?.startsWith('/link/')) parts.socket.upgrade(request, socket, head);
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, area = '', id = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
  const { sandbox } = parts;
  switch (area) {
    case 'api':
      return serveApi(parts, request, response);
    case 'response':
      return serveResponseUrl(sandbox, id, request, response);
    case 'upload':
      return serveUpload(sandbox, id, request, response);
    case 'files':
      return serveFile(sandbox, id, response);
    case 'control':
      return serveControl(parts, request, response);
    default:
      return sendJson(response, 404, { ok: false, error: 'not_found' });
  }
}
