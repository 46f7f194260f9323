import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';

interface OptionalScope {
  /** Completes “It is missing, …”. */
  purpose: string;
  /** What people notice without it, and what they do instead. */
  lost: string;
}

/** The scopes that people may decline when they install the app: `bot_optional` of the manifest. */
export const OPTIONAL_SCOPES: Readonly<Record<string, OptionalScope>> = {
  'app_mentions:read': {
    purpose: 'to answer people who mention the bot in a channel',
    lost: 'Mentions in channels get no answer. Commands and direct messages do.',
  },
  'channels:join': {
    purpose: 'to join the public channels that it posts to',
    lost: 'Quartermaster joins no channel by itself. Type /invite @Quartermaster there first.',
  },
  'files:read': {
    purpose: 'to read an uploaded list of credit limits',
    lost: 'Quartermaster can’t read uploaded lists here. Paste the list instead.',
  },
  'files:write': {
    purpose: 'to send figures as a CSV file',
    lost: 'Quartermaster can’t send files here. Its answers and tables show the same figures.',
  },
};

const refusalSchema = z.looseObject({ needed: z.string().max(1_000).catch('') });

/** Returns what is lost without the optional scope that a refused call needs; undefined for any other error. */
export function declinedScopeSentence(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return undefined;
  const { needed } = refusalSchema.parse(error.data);
  // Slack’s answer may be any word, such as `constructor`.
  return Object.hasOwn(OPTIONAL_SCOPES, needed) ? OPTIONAL_SCOPES[needed]?.lost : undefined;
}

/** Pure. @param granted undefined if Slack did not say: then none is known to be missing */
export const declinedScopes = (granted: readonly string[] | undefined): [scope: string, OptionalScope][] =>
  granted && granted.length > 0 ? Object.entries(OPTIONAL_SCOPES).filter(([scope]) => !granted.includes(scope)) : [];
