import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import { onTestFinished } from 'vitest';

export interface ScriptedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One answer: JSON (or text) with its status, or any raw response. */
export type ScriptedAnswer =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse, request: ScriptedRequest) => void);

/** A server that returns these answers in this order. The test fails if the number of requests differs. */
export async function startScript(
  answers: readonly ScriptedAnswer[],
): Promise<{ address: string; requests: ScriptedRequest[] }> {
  const requests: ScriptedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      const answer = answers[requests.length];
      requests.push(asked);
      if (typeof answer === 'function') return answer(response, asked);
      const {
        status = 200,
        headers = {},
        json,
        text,
      } = answer ?? { status: 599, text: 'nothing is scripted for this request' };
      response.writeHead(status, headers).end(text ?? (json === undefined ? '' : JSON.stringify(json)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    const asked = requests.map(({ method, url }) => `${method} ${url}`).join(', ');
    if (requests.length !== answers.length) {
      throw new Error(`${answers.length} answers were scripted, ${requests.length} requests came: ${asked}`);
    }
  });
  const bound = server.address();
  return { address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`, requests };
}

/** Answers nothing for as long as the test runs. */
export const SILENCE: ScriptedAnswer = () => {};

/** Breaks the connection instead of answering. */
export const HANG_UP: ScriptedAnswer = (response) => void response.destroy();
