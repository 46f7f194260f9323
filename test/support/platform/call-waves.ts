import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { eventually } from '../waiting.ts';

/** A wave is complete if no further call has arrived over this many polls. */
const QUIET_POLLS = 20;

export interface CallWaves {
  url: string;
  /** The calls of an answer that no other answer made possible are one wave. */
  count(answer: () => Promise<unknown>): Promise<{ calls: number; waves: number }>;
  close(): Promise<void>;
}

/**
 * Passes calls on to a platform. While it counts, it holds every call of figures until no other one arrives, as a slow network
 * would: then all that wait are one wave.
 */
export async function startCallWaves(platformPort: number, counted = '/analytics/'): Promise<CallWaves> {
  let held: (() => void)[] | undefined;
  let arrived = 0;
  const passOn = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url: path } = incoming;
    const outgoing = request({ port: platformPort, host: '127.0.0.1', method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', (error) => response.destroy(error));
    incoming.pipe(outgoing);
  };
  const server = createServer((incoming, response) => {
    if (!held || !new RegExp(counted).test(incoming.url ?? '')) return passOn(incoming, response);
    arrived += 1;
    held.push(() => passOn(incoming, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    count: async (answer) => {
      held = [];
      arrived = 0;
      let waves = 0;
      const progress = { isAnswered: false };
      const answered = answer().finally(() => (progress.isAnswered = true));
      while (!progress.isAnswered) {
        let quiet = 0;
        let seen = 0;
        await eventually(() => {
          if (progress.isAnswered) return true;
          const waiting = held?.length ?? 0;
          quiet = waiting > 0 && waiting === seen ? quiet + 1 : 0;
          seen = waiting;
          return quiet >= QUIET_POLLS || undefined;
        }, 'a call or the answer');
        if (seen > 0) waves += 1;
        for (const release of held.splice(0)) release();
      }
      await answered;
      held = undefined;
      return { calls: arrived, waves };
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
