import { randomBytes } from 'node:crypto';
import type { Logger } from '../../base/log.ts';
import { RATE_LIMITED, waitAskedMs } from '../../base/time/back-off.ts';
import { HiddenPeopleError } from '../../base/privacy/disclosure.ts';
import { isPlatformError, type PlatformError } from '../../platform/errors.ts';
import { isStoreFault } from '../../store/engines/store-fault.ts';
import { readSlackFault } from '../client/errors.ts';
import { declinedScopeSentence } from '../client/optional-scopes.ts';

/** The sentence says what to do, and the reference finds the details in the log. */
export interface UserError {
  sentence: string;
  reference: string;
}

const waitWords = (askedMs: number) => `${Math.ceil(waitAskedMs(askedMs, RATE_LIMITED.firstMs) / 1000)} s`;

const PAYMENT_REQUIRED = 402;
const UNREADABLE =
  'Quartermaster couldn’t read the platform’s answer. Try again; if that doesn’t help, ask the server operator.';
const PLAN_REMEDY = 'Ask the server operator whether the plan of your organization includes it.';

/** Names seen in reasons of the platform; any other reason is still shown. */
function refusedKeyRemedy({ statement = '' }: PlatformError): string {
  if (/enterprise|\bplan\b/i.test(statement)) return PLAN_REMEDY;
  if (/service.?account/i.test(statement))
    return 'Ask the server operator for a personal key of a Manager or Owner: keys of service accounts don’t work.';
  return 'Ask the server operator for a personal key of a Manager or Owner.';
}

/** The same, with the reason that the platform states for its refusal. Not for `/readyz`, which has fixed words only. */
export function statedSentence(error: PlatformError): string {
  const { statement, status = 0 } = error;
  const isRefusal = status >= 400 && status < 500 && error.code !== 'rate_limited';
  const sentence = platformSentence(error);
  return isRefusal && statement !== undefined ? `${sentence} The platform says: “${statement}”.` : sentence;
}

/** Says what to do, in fixed words. */
export function platformSentence(error: PlatformError): string {
  switch (error.code) {
    case 'unauthorized':
      return 'The platform no longer accepts Quartermaster’s API key. Ask the server operator to set a new PLATFORM_API_KEY.';
    case 'forbidden':
      return `The platform doesn’t let Quartermaster’s API key do this. ${refusedKeyRemedy(error)}`;
    case 'not_found':
      return 'The platform doesn’t know this. Check the name or id.';
    case 'moved_away':
      return 'The platform no longer has this where Quartermaster looks for it. Ask the server operator to run the doctor and look for a newer version.';
    case 'invalid_request':
    case 'invalid_argument':
      return 'The platform didn’t accept this. Check what you typed; if it looks right, ask the server operator.';
    case 'conflict':
      return 'The platform says this can’t be done right now. Look at it again, then retry.';
    case 'rate_limited':
      return `The platform is getting too many requests. Try again in ${error.askedMs === undefined ? 'a minute' : waitWords(error.askedMs)}.`;
    case 'server_error':
      return 'The platform is having problems. Try again in a few minutes.';
    case 'timeout':
      return 'The platform didn’t answer in time. Try again, or ask for a shorter period.';
    case 'network':
    case 'cut_body':
      return 'The platform can’t be reached right now. Try again in a few minutes.';
    case 'overloaded':
      return 'Quartermaster is reading too much at once. Try again in a minute, or ask for a shorter period.';
    case 'unexpected_status':
      return error.status === PAYMENT_REQUIRED
        ? `The platform requires a paid plan for this. ${PLAN_REMEDY}`
        : UNREADABLE;
    case 'not_json':
    case 'empty_body':
    case 'wrong_shape':
    case 'pagination_loop':
      return UNREADABLE;
    case 'cancelled':
      return 'This was stopped before it was done. Try again.';
    default:
      return error.code satisfies never;
  }
}

function faultSentence(error: unknown): string {
  if (isPlatformError(error)) return statedSentence(error);
  if (isStoreFault(error))
    return 'Quartermaster can’t use its database right now. Try again in a minute; if that doesn’t help, ask the server operator.';
  if (error instanceof HiddenPeopleError) return 'This answer names people, and you may not see their figures here.';
  const declined = declinedScopeSentence(error);
  if (declined !== undefined) return declined;
  const isSlackFault = error instanceof Error && 'code' in error && String(error.code).startsWith('slack_');
  if (isSlackFault) {
    const fault = readSlackFault(error);
    if (fault.kind === 'rate_limited')
      return `Slack is getting too many requests. Try again in ${waitWords(fault.askedMs)}.`;
    return 'Slack didn’t do this. Try again; if that doesn’t help, ask the server operator.';
  }
  return 'Something went wrong in Quartermaster. Try again; if that doesn’t help, ask the server operator.';
}

const NEEDS_OTHERS: ReadonlySet<PlatformError['code']> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
  'moved_away',
  'invalid_request',
  'invalid_argument',
]);

/** Whether the same request may work later, without another key or other words. */
export const isWorthRetrying = (error: unknown): boolean => !(isPlatformError(error) && NEEDS_OTHERS.has(error.code));

export const isInDoubt = (error: unknown): boolean => isPlatformError(error) && error.outcomeUnknown;

/** The log line and the sentence have the same reference. @example reportError(error, log, { command: '/usage' }) */
export function reportError(error: unknown, log: Logger, about: Record<string, unknown>): UserError {
  const reference = randomBytes(4).toString('hex');
  log.error({ err: error, reference, ...about }, 'Showed a fault to a user');
  return { sentence: faultSentence(error), reference };
}
