import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, sendText } from './http-answers.ts';

const TIMEOUT_MS = 10_000;

/**
 * Forwards a request of the page to the platform's control. The page cannot send it directly: the control listens on another
 * port, and the page may only connect to its own server.
 */
export async function forwardToPlatform(
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const method = request.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? '' : await readBody(request);
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    const message = `The platform did not answer: ${error instanceof Error ? error.message : String(error)}`;
    return sendJson(response, 502, { ok: false, error: 'platform_unreachable', message });
  }
  const contentType = answer.headers.get('content-type') ?? 'text/plain; charset=utf-8';
  return sendText(response, answer.status, contentType, await answer.text());
}
