import { SHOW_REST_ACTION } from '../../usage/answer-actions.ts';
import { isComparison } from '../../usage/usage-command.ts';
import type { CapturedMessage } from '../answers/captured-answer.ts';
import type { Tool, ToolArguments } from './tools.ts';

/** A button under an answer: another call of a tool, for the same person and with the same rights. */
export interface NextCall {
  text: string;
  tool: string;
  words: Partial<ToolArguments>;
}

type Given = Partial<ToolArguments>;

const LAST_MONTH = 'last month';

/** The same figures of the month before; where they are shown already, of this one. */
const otherMonth = (tool: string, given: Given): NextCall =>
  given.period?.trim().toLowerCase() === LAST_MONTH
    ? { text: 'This month', tool, words: { ...given, period: 'this month' } }
    : { text: 'Last month', tool, words: { ...given, period: LAST_MONTH } };

const whole = (tool: string, text: string, word: string | undefined): NextCall[] =>
  word === undefined ? [] : [{ text, tool, words: {} }];

/** What people ask next after the answer of a tool. A call with nothing more to say has no button. */
const NEXT: Readonly<Record<string, (given: Given, hasMore: boolean) => NextCall[]>> = {
  usage: (given, hasMore) => {
    if (isComparison(given.period?.split(/\s+/) ?? [])) return [];
    const more = { text: 'More', tool: 'usage', words: { ...given, side: `${given.side ?? ''} more`.trim() } };
    return [otherMonth('usage', given), ...byModel(given), ...(hasMore ? [more] : [])];
  },
  what_moved: (given) => [otherMonth('what_moved', given), ...byModel(given)],
  will_i_run_out: () => [
    { text: 'Last month', tool: 'usage', words: { period: LAST_MONTH, subject: 'me' } },
    { text: 'My limit', tool: 'limits', words: { subject: 'me' } },
  ],
  limits: () => [{ text: 'Will I run out?', tool: 'will_i_run_out', words: {} }],
  budgets: ({ id }) => whole('budgets', 'All budgets', id),
  readiness: ({ repository }) => whole('readiness', 'All repositories', repository),
  computers: ({ name }) => whole('computers', 'All computers', name),
  controls: (given) => [otherMonth('controls', given)],
};

/** The platform reports models for the whole organization only. */
function byModel({ side, subject, period }: Given): NextCall[] {
  if (subject !== undefined) return [];
  const days = period === undefined ? {} : { period };
  return side === 'models'
    ? [{ text: 'Summary', tool: 'usage', words: days }]
    : [{ text: 'By model', tool: 'usage', words: { side: 'models', ...days } }];
}

/** Pure. @example nextCalls(usage, {}, messages).map(({ text }) => text) // ['Last month', 'By model', 'More'] */
export function nextCalls({ name }: Tool, given: Given, messages: readonly CapturedMessage[]): NextCall[] {
  const hasMore = JSON.stringify(messages.map(({ blocks }) => blocks)).includes(`"${SHOW_REST_ACTION}"`);
  return NEXT[name]?.(given, hasMore) ?? [];
}
