import type { Logger } from '../../base/log.ts';
import { readSlackFault, refusalSentence } from './errors.ts';
import { isTokenRefusal } from './refusal-codes.ts';

/** While Slack refuses the token, `fault` asks Slack again, at most this often. */
const CONFIRM_EVERY_MS = 15_000;

export interface TokenHealth {
  /** What a call of the Web API came to: nothing if Slack accepted it. */
  note(error: unknown): void;
  /** `undefined` when in order, else what is wrong. */
  fault(): string | undefined;
}

/**
 * Judges by every call whether Slack still accepts the bot’s token: over HTTP nothing else shows that it was revoked. The first
 * refusal counts at once, `auth.test` confirms it, and the next accepted call ends it.
 *
 * @param confirm calls `auth.test`; what it comes to is noted like any other call
 */
export function createTokenHealth(deps: {
  confirm: () => Promise<unknown>;
  log: Logger;
  nowMs: () => number;
}): TokenHealth {
  let refusal: string | undefined;
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  const confirm = () => {
    if (deps.nowMs() - confirmedAtMs < CONFIRM_EVERY_MS) return;
    confirmedAtMs = deps.nowMs();
    // Its outcome is noted by the client, whatever it is.
    deps.confirm().catch(() => undefined);
  };
  return {
    note: (error) => {
      const fault = error === undefined ? undefined : readSlackFault(error);
      if (fault === undefined) {
        if (refusal !== undefined) deps.log.info('Slack accepts the bot’s token again');
        refusal = undefined;
        return;
      }
      if (fault.kind !== 'refused' || !isTokenRefusal(fault.code)) return;
      if (refusal === undefined) deps.log.error({ code: fault.code }, 'Slack refuses the bot’s token');
      refusal = refusalSentence(fault.code);
      confirm();
    },
    fault: () => {
      if (refusal !== undefined) confirm();
      return refusal;
    },
  };
}
