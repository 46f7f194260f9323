import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A port that is reserved until its program is about to start. Connections in the meantime are cut off. */
export interface ReservedPort {
  port: number;
  release: () => Promise<void>;
}

/**
 * Below the ports that systems assign to connections and to listeners on any port: there are thousands of these in a
 * run.
 */
const [FIRST, END] = [20_000, 32_000];

export async function reservePort(): Promise<ReservedPort> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const server = await listenOn(port);
    if (server) return { port, release: () => closeServer(server) };
  }
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

/** An unused port, for a program that cannot report which one it took. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort();
  await release();
  return port;
}
