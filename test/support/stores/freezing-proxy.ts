import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A network between the bot and Postgres that can fall silent, accepting bytes that never arrive, or become slow. */
export interface FreezingProxy {
  /** The same database, over this network. */
  url: string;
  /**
   * `existing`: connections that are open at the time of the call; `all`: also those that are opened later, until
   * `thaw`.
   */
  freeze(which: 'existing' | 'all'): void;
  /** New connections work again. Swallowed requests are lost for good. */
  thaw(): void;
  /** The additional time of every statement, until this is set to 0 again. */
  slow(delayMs: number): void;
  close(): Promise<void>;
}

export async function startFreezingProxy(databaseUrl: string): Promise<FreezingProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<{ sockets: Socket[]; isFrozen: boolean }>();
  let freezesNew = false;
  let delayMs = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const link = { sockets: [near, far], isFrozen: freezesNew };
    open.add(link);
    const carry = (from: Socket, to: Socket) => {
      let lastArrival = Promise.resolve();
      from.on('data', (chunk) => {
        if (link.isFrozen) return;
        const arrivesAtMs = performance.now() + (from === near ? delayMs : 0);
        lastArrival = passOn(lastArrival, arrivesAtMs, () => link.isFrozen || to.write(chunk));
      });
      from.on('error', () => {});
      from.on('close', () => {
        if (!link.isFrozen) to.destroy();
        if (from === near) open.delete(link);
        if (from === near) far.destroy();
      });
    };
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === 'object' && address ? address.port : 0);
  return {
    url: url.href,
    freeze: (which) => {
      freezesNew = which === 'all';
      for (const link of open) link.isFrozen = true;
    },
    thaw: () => {
      freezesNew = false;
    },
    slow: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      for (const { sockets } of open) for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Later bytes never arrive earlier. */
async function passOn(earlier: Promise<void>, atMs: number, write: () => void): Promise<void> {
  await earlier;
  if (atMs > performance.now()) await delay(atMs - performance.now());
  write();
}
