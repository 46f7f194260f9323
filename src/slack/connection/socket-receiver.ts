import type { App, Receiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../../base/log.ts';
import { clientOptions } from './clients.ts';
import { handOver, type TakeFirst } from './dispatch.ts';
import { judgeIncoming } from './incoming.ts';
import type { Envelope } from './socket-frames.ts';
import { superviseSocket, type SocketSupervisor } from './socket-supervisor.ts';

export interface SocketReceiver extends Receiver {
  supervisor: SocketSupervisor;
}

/**
 * Passes payloads from Socket Mode to Bolt. Bolt's own receiver has one connection at a time, and cannot control when
 * it is closed.
 */
export function createSocketReceiver(deps: {
  appToken: string;
  apiUrl: string;
  log: Logger;
  onFatal: (reason: string) => void;
  takeFirst: TakeFirst;
}): SocketReceiver {
  const { log, takeFirst } = deps;
  let app: App | undefined;
  const supervisor = superviseSocket({
    client: new WebClient(deps.appToken, clientOptions(deps.apiUrl, log)),
    log,
    onFatal: deps.onFatal,
    onEnvelope: (envelope, acknowledge) => {
      if (app) void receive({ app, log, takeFirst }, envelope, acknowledge);
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
  { app, log, takeFirst }: { app: App; log: Logger; takeFirst: TakeFirst },
  { id, payload, ...retry }: Envelope,
  acknowledge: (answer?: object) => boolean,
): Promise<void> {
  const incoming = judgeIncoming(payload);
  if (incoming.kind === 'not_ours') return void acknowledge(incoming.answer);
  if (incoming.kind === 'malformed') {
    log.warn({ envelope: id }, 'Slack delivered something of a shape that is not known');
    return void acknowledge();
  }
  let isAcknowledged = false;
  const ack = (answer?: unknown) => {
    const isSent = isAcknowledged || acknowledge(payloadOf(answer));
    isAcknowledged = true;
    // Slack shows the person an error, so what they sent must not be done.
    return isSent
      ? Promise.resolve()
      : Promise.reject(new Error('The connection was closed before the acknowledgement'));
  };
  try {
    await handOver({ app, takeFirst }, { body: Object(payload), ack, ...retry });
  } catch (error) {
    log.warn({ err: error, envelope: id }, 'Slack delivered something that cannot be read');
    await ack();
  }
}

function payloadOf(answer: unknown): object | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { text: answer };
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}
