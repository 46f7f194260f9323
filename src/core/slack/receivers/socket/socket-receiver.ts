import type { App, Receiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Logger } from '../../../base/log.ts';
import { clientOptions } from '../../client/clients.ts';
import { deliver } from '../deliver.ts';
import type { Envelope } from './socket-frames.ts';
import { superviseSocket, type SocketSupervisor } from './socket-supervisor.ts';

export interface SocketReceiver extends Receiver {
  supervisor: SocketSupervisor;
}

/** Bolt's own receiver has one connection at a time, and cannot control when it is closed. */
export function createSocketReceiver(deps: {
  appToken: string;
  apiUrl: string;
  log: Logger;
  onFatal: (reason: string) => void;
}): SocketReceiver {
  const { log } = deps;
  let app: App | undefined;
  const supervisor = superviseSocket({
    client: new WebClient(deps.appToken, clientOptions(deps.apiUrl, log)),
    log,
    onFatal: deps.onFatal,
    onEnvelope: (envelope, acknowledge) => {
      if (app) void receive({ app, log }, envelope, acknowledge);
    },
  });
  return {
    supervisor,
    init: (boltApp) => {
      app = boltApp;
    },
    start: () => supervisor.start(),
    stop: () => supervisor.stop(),
  };
}

async function receive(
  { app, log }: { app: App; log: Logger },
  { id, payload, ...retry }: Envelope,
  acknowledge: (answer?: object) => boolean,
): Promise<void> {
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
    await deliver(app, { body: Object(payload), ack, ...retry }, (incoming) => {
      if (incoming.kind === 'unhandled') return ack(incoming.answer);
      log.warn({ envelope: id }, 'Slack sent an event of an unknown shape');
      return ack();
    });
  } catch (error) {
    log.warn({ err: error, envelope: id }, 'Slack sent an unreadable event');
    await ack();
  }
}

function payloadOf(answer: unknown): object | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { text: answer };
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}
