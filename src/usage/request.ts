import { z } from 'zod';
import { didYouMean, readReference, type CommandHelp, type ParsedCommand } from '../slack/command-words.ts';
import { hasRole, type Person } from '../slack/people.ts';
import { dayOf, isDay, PERIOD_WORDS, readPeriod, type PeriodWish } from '../slack/periods.ts';

/** Whose figures. `default`: the organization's, and a member's own beside them. */
export const scopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('me') }),
  z.object({ kind: z.literal('person'), slackId: z.string() }),
  z.object({ kind: z.literal('group'), slackId: z.string() }),
  z.object({ kind: z.literal('email'), email: z.string() }),
]);
export type UsageScope = z.infer<typeof scopeSchema>;

const daySchema = z.string().refine(isDay);

export const requestSchema = z.object({
  view: z.literal('summary'),
  period: z.object({ first: daySchema, last: daySchema, label: z.string(), lastDays: z.int().optional() }),
  scope: scopeSchema,
});
export interface UsageRequest {
  view: 'summary';
  period: PeriodWish;
  scope: UsageScope;
}

export const USAGE_HELP: CommandHelp = {
  command: '/usage',
  purpose: 'what the organization, a team or a person used. Days are UTC.',
  examples: [
    { text: '', meaning: 'the last 7 published days' },
    { text: '28d', meaning: 'a period: also yesterday, last week, this month, oct 1 to oct 7, 2026-11-01..2026-11-07' },
    { text: 'last month me', meaning: 'your own figures' },
    { text: '7d @person', meaning: 'a person, a @group or an e-mail; for managers' },
  ],
};

const VIEWS = ['summary'];

/**
 * Reads the words after `/usage`, in any order.
 *
 * @example parseUsage(['last', 'week', 'me'], new Date()) // { kind: 'run', request: { view: 'summary', … } }
 */
export function parseUsage(words: readonly string[], now: Date): ParsedCommand<UsageRequest> {
  const today = dayOf(now);
  const lower = words.map((word) => word.toLowerCase());
  if (lower[0] === 'help') return { kind: 'help' };
  let period: PeriodWish | undefined;
  let scope: UsageScope | undefined;
  for (let index = 0; index < words.length;) {
    const found = readPeriod(lower.slice(index), today);
    const word = words[index] ?? '';
    if (found) {
      if (period) return { kind: 'misunderstood', sentence: 'Only one period can be shown at a time.' };
      period = found.wish;
      index += found.taken;
      continue;
    }
    index += 1;
    if (VIEWS.includes(word.toLowerCase())) continue;
    const named = readScope(word);
    if (!named) return misunderstood(words, index - 1);
    if (scope) return { kind: 'misunderstood', sentence: 'Only one person or group can be shown at a time.' };
    scope = named;
  }
  return {
    kind: 'run',
    request: { view: 'summary', period: period ?? defaultPeriod(today), scope: scope ?? { kind: 'default' } },
  };
}

function defaultPeriod(today: string): PeriodWish {
  const found = readPeriod(['7d'], today);
  if (!found) throw new Error('7d is a period');
  return found.wish;
}

function readScope(word: string): UsageScope | undefined {
  if (['me', 'my', 'mine'].includes(word.toLowerCase())) return { kind: 'me' };
  const reference = readReference(word);
  return reference && reference.kind !== 'channel' ? reference : undefined;
}

function misunderstood(words: readonly string[], index: number): ParsedCommand<UsageRequest> {
  const word = words[index] ?? '';
  if (/^[@#]/.test(word)) {
    return {
      kind: 'misunderstood',
      sentence: `Slack knows nobody called ${word}. Pick the name from the list that opens while you type.`,
    };
  }
  const rest = words.slice(index + 1);
  const suggestion =
    didYouMean(word, [...VIEWS, ...PERIOD_WORDS, 'me', 'help']) ??
    didYouMean(`${word} ${rest[0] ?? ''}`.trim(), PERIOD_WORDS);
  const sentence = `“${word}” is neither a period nor a person.`;
  if (suggestion === undefined) return { kind: 'misunderstood', sentence };
  const isTwoWords = suggestion.includes(' ') && didYouMean(word, [suggestion]) === undefined;
  const corrected = [...words.slice(0, index), suggestion, ...(isTwoWords ? rest.slice(1) : rest)].join(' ');
  return { kind: 'misunderstood', sentence, corrected };
}

export type AccessDecision = { allowed: true } | { allowed: false; sentence: string };

/** Who may see whose figures. Pure. */
export function decideAccess(person: Person, scope: UsageScope): AccessDecision {
  if (hasRole(person.role, 'manager') || scope.kind === 'default') return { allowed: true };
  const isOwn =
    scope.kind === 'me' ||
    (scope.kind === 'person' && scope.slackId === person.slackId) ||
    (scope.kind === 'email' && scope.email === person.email);
  if (isOwn) return { allowed: true };
  return {
    allowed: false,
    sentence: 'Other people’s figures are for managers: ask one of them, or type /usage me for your own.',
  };
}
