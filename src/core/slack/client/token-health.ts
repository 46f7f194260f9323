import type { Logger } from '../../base/log.ts';
import { readSlackFault, refusalSentence } from './errors.ts';
import { isTokenRefusal } from './refusal-codes.ts';

/** While Slack refuses the token, `fault` asks Slack again, at most this often. */
const CONFIRM_EVERY_MS = 15_000;

export interface TokenHealth {
  /** Undefined if Slack accepted the call. */
  recordOutcome(error: unknown): void;
  fault(): string | undefined;
}

/**
 * Over HTTP, only the outcomes of calls show that the token was revoked. The first refusal counts at once, `auth.test`
 * confirms it, and the next accepted call ends it.
 *
 * @param confirm calls `auth.test`; its outcome is reported to `recordOutcome` like that of any other call
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
    // The client reports its outcome to `recordOutcome`.
    deps.confirm().catch(() => undefined);
  };
  return {
    recordOutcome: (error) => {
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
