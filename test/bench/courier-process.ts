/**
 * Delivers Slack's signed requests from a process of its own, each over a new connection, and measures how long the answer
 * takes. The process with the simulated Slack also receives the bot's answers, so its own delays would count as the bot's.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ACKNOWLEDGE_WITHIN_MS } from '../../src/sandbox/slack/transport/gateway.ts';
import { requestSchema, type CourierReport } from './courier.ts';

process.on('message', (message) => {
  const { id, url, headers, body } = requestSchema.parse(message);
  const startedMs = performance.now();
  const report = (status: number, answer: string) => {
    const durationMs = Math.round(10 * (performance.now() - startedMs)) / 10;
    process.send?.({ id, status, text: answer, durationMs } satisfies CourierReport);
  };
  const fail = (error: Error) => report(0, error.message);
  const signal = AbortSignal.timeout(ACKNOWLEDGE_WITHIN_MS);
  const sent = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
    void text(response).then((answer) => report(response.statusCode ?? 0, answer), fail);
  });
  sent.on('error', fail);
  sent.end(body);
});
process.on('disconnect', () => process.exit(0));
