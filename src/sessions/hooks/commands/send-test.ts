import { HOOKS_PATH } from '../../../http/hooks-address.ts';
import type { HookDeps } from '../core/deps.ts';
import { hashOf, makeTestToken } from '../core/tokens.ts';
import type { TestOutcome } from './views.ts';

const TIMEOUT_MS = 5_000;

/** Sends an event as a client would: to the address that people's computers use, with a token that works for this alone. */
export async function sendTest({ db, clock, log }: HookDeps, url: string, owner: string): Promise<TestOutcome> {
  const now = clock.now();
  const token = await makeTestToken(db, owner, now);
  const event = {
    hook_event_name: 'Notification',
    session_id: `test-${now.toISOString()}`,
    cwd: '/test',
    message: 'This is a test. When your agent waits for you, its question is here.',
  };
  try {
    const answer = await fetch(`${url}${HOOKS_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.status === 204 ? { kind: 'taken' } : { kind: 'answered', status: answer.status };
  } catch (error) {
    log.warn({ err: error }, 'HOOKS_URL does not answer the bot itself');
    return { kind: 'silent' };
  } finally {
    await db.deleteFrom('hook_tokens').where('token_hash', '=', hashOf(token)).execute();
  }
}
