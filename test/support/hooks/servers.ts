import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSocketServer, type Server as SocketServer, type Socket } from 'node:net';
import { once } from 'node:events';

export interface BadServer {
  url: string;
  /** How many requests arrived. */
  requests: () => number;
  close(): void;
}

const addressOf = (server: Server | SocketServer) => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

export async function startServer(answer: RequestListener): Promise<BadServer> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    response.on('error', () => {});
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: addressOf(server),
    requests: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Accepts connections and sends nothing, or invalid bytes. */
export async function startSocketServer(words = ''): Promise<BadServer> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (words !== '') socket.write(words);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: addressOf(server),
    requests: () => sockets.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
