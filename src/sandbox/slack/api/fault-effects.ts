import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultRule } from '../model/faults.ts';
import { sendJson } from './http-reply.ts';

/** Applies a fault before the call or in its place; true if the call is over. */
export async function failEarly(
  fault: FaultRule,
  response: ServerResponse,
  record: (status: string, body: unknown) => void,
): Promise<boolean> {
  switch (fault.kind) {
    case 'lost_answer':
    case 'shown_late':
      return false;
    case 'slow':
      await delay(fault.delayMs ?? 1000);
      return false;
    case 'dropped':
      record('dropped', null);
      response.destroy();
      return true;
    case 'error': {
      const body = { ok: false, error: fault.error ?? 'internal_error' };
      record(`ok:false ${body.error}`, body);
      sendJson(response, 200, body);
      return true;
    }
    case 'rate_limited':
      record('429', null);
      sendJson(
        response,
        429,
        { ok: false, error: 'ratelimited' },
        fault.retryAfter === null ? {} : { 'retry-after': String(fault.retryAfter ?? 1) },
      );
      return true;
    case 'http_500':
      record('500', null);
      sendJson(response, 500, { ok: false, error: 'internal_error' });
      return true;
    case 'html':
      record('200 html', null);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Slack is down</body></html>');
      return true;
    default:
      return fault.kind satisfies never;
  }
}
