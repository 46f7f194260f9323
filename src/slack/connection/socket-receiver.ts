import type { App, Receiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../../base/log.ts';
import { clientOptions } from './clients.ts';
import { judgeIncoming, KEPT_FIRST, type KeepFirst } from './incoming.ts';
import type { Envelope } from './socket-frames.ts';
import { superviseSocket, type SocketSupervisor } from './socket-supervisor.ts';
import { nextTurn } from '../../base/turns.ts';

export interface SocketReceiver extends Receiver {
  supervisor: SocketSupervisor;
}

/**
 * Hands to Bolt what arrives over Socket Mode. Bolt's own receiver has one connection at a time, and no say in when it is
 * closed.
 */
export function createSocketReceiver(deps: {
  appToken: string;
  apiUrl: string;
  log: Logger;
  onFatal: (reason: string) => void;
  keepFirst: KeepFirst;
}): SocketReceiver {
  const { log, keepFirst } = deps;
  let app: App | undefined;
  const supervisor = superviseSocket({
    client: new WebClient(deps.appToken, clientOptions(deps.apiUrl, log)),
    log,
    onFatal: deps.onFatal,
    onEnvelope: (envelope, acknowledge) => {
      if (app) void receive({ app, log, keepFirst }, envelope, acknowledge);
    },
  });
  return {
    supervisor,
    init: (made) => {
      app = made;
    },
    start: () => supervisor.start(),
    stop: () => supervisor.stop(),
  };
}

async function receive(
  { app, log, keepFirst }: { app: App; log: Logger; keepFirst: KeepFirst },
  { id, payload, ...retry }: Envelope,
  acknowledge: (answer?: object) => void,
): Promise<void> {
  const incoming = judgeIncoming(payload);
  if (incoming.kind === 'not_ours') return acknowledge(incoming.answer);
  if (incoming.kind === 'malformed') {
    log.warn({ envelope: id }, 'Slack delivered something of a shape that is not known');
    return acknowledge();
  }
  let isAcknowledged = false;
  const ack = (answer?: unknown) => {
    if (!isAcknowledged) acknowledge(payloadOf(answer));
    isAcknowledged = true;
    return Promise.resolve();
  };
  try {
    const body: object = Object(payload);
    const keeping = keepFirst(body);
    const kept = keeping && (await keeping);
    if (kept) {
      await ack();
      // The acknowledgements of a burst all leave before the work on its first click begins.
      await nextTurn();
    }
    await app.processEvent({ body, ack, ...retry, ...(kept ? { customProperties: { [KEPT_FIRST]: kept } } : {}) });
  } catch (error) {
    log.warn({ err: error, envelope: id }, 'Slack delivered something that cannot be read');
    await ack();
  }
}

function payloadOf(answer: unknown): object | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { text: answer };
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}
