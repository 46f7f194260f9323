import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App, Receiver, ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import { createBodyReader } from '../../http/body.ts';
import { HttpRefusal } from '../../http/refusal.ts';
import type { Route } from '../../http/server.ts';
import { deliver } from './deliver.ts';
import { MAX_BODY_BYTES, readSlackBody, type SlackBody } from './http-admission.ts';
import { readSignedBody, type SignedBodyDeps } from './signed-body.ts';

/** The limit for all bodies that are still arriving. Slack's own have some kilobytes. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024;
const MAX_CHALLENGE_LENGTH = 1_000;

const challengeSchema = z.string().max(MAX_CHALLENGE_LENGTH).catch('');

export interface HttpReceiver extends Receiver {
  route: Route;
}

/**
 * Bolt's own receiver buffers a body before it checks the signature, throws outside of the request for other methods,
 * and fails in an unhandled promise for a body of `null`. Here every error belongs to the route, and the server answers
 * it.
 */
export function createHttpReceiver(deps: SignedBodyDeps & { path: string }): HttpReceiver {
  const bodies = createBodyReader({ maxBytes: MAX_BODY_BYTES, maxPendingBytes: MAX_PENDING_BYTES });
  let app: App | undefined;
  let isStopped = false;
  return {
    init: (boltApp) => {
      app = boltApp;
    },
    start: () => Promise.resolve(),
    stop: () => {
      isStopped = true;
      return Promise.resolve();
    },
    route: {
      path: deps.path,
      methods: ['POST'],
      handle: async (request, response) => {
        // An acknowledged but dropped request would be worse. This way, Slack shows the person that it failed.
        if (isStopped || !app) throw new HttpRefusal(503, 'Quartermaster is stopping.');
        const body = await readVerifiedBody(deps, request, () => bodies.read(request));
        await process(app, body, request, response);
      },
    },
  };
}

async function readVerifiedBody(
  deps: SignedBodyDeps,
  request: IncomingMessage,
  readBody: () => Promise<Buffer>,
): Promise<SlackBody> {
  const { format, text } = await readSignedBody(deps, request, readBody);
  const body = readSlackBody(format, text);
  if (!body) throw malformed();
  return body;
}

async function process(app: App, body: SlackBody, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (body['ssl_check'] === '1') return send(response, undefined);
  if (body['type'] === 'url_verification')
    return send(response, { challenge: challengeSchema.parse(body['challenge']) });
  let isAcknowledged = false;
  const ack = (answer?: unknown) => {
    if (isAcknowledged) return Promise.reject(new Error('A request was acknowledged twice'));
    isAcknowledged = true;
    if (response.destroyed) return Promise.reject(new Error('The connection was closed before the acknowledgement'));
    send(response, answer);
    return Promise.resolve();
  };
  await deliver(app, { body, ack, ...retryOf(request) }, (incoming) =>
    incoming.kind === 'unhandled' ? ack(incoming.answer) : Promise.reject(malformed()),
  ).catch(() => {
    // Bolt reads members that this program does not need, and throws if they are malformed.
    if (!isAcknowledged) throw malformed();
  });
  if (!isAcknowledged) throw new HttpRefusal(503, 'This could not be acknowledged.');
}

const malformed = () => new HttpRefusal(400, 'The body is nothing that Slack sends.');

function retryOf({ headers }: IncomingMessage): Pick<ReceiverEvent, 'retryNum' | 'retryReason'> {
  const retryNum = Number.parseInt(String(headers['x-slack-retry-num'] ?? ''), 10);
  if (Number.isNaN(retryNum)) return {};
  return { retryNum, retryReason: String(headers['x-slack-retry-reason'] ?? '').slice(0, 100) };
}

function send(response: ServerResponse, answer: unknown): void {
  if (answer === undefined || answer === '') response.writeHead(200).end();
  else if (typeof answer === 'string')
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(answer);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
