export interface ToolCall {
  tool: string;
  words: Readonly<Record<string, string>>;
}

/** In order: the first that occurs decides. */
const TOOLS: readonly [RegExp, string][] = [
  [/run out|last me|enough credits/, 'will_i_run_out'],
  [/\blimits?\b/, 'limits'],
  [/\bbudgets?\b/, 'budgets'],
  [/\bready|readiness|\brepo/, 'readiness'],
  [/\bcomputers?\b/, 'computers'],
  [/\bcontrols?\b|\bsettings?\b|\bpolicy\b/, 'controls'],
  [/\bdigests?\b/, 'explain_digest'],
  [/\bmoved\b|changed most|what changed/, 'what_moved'],
  [/./, 'usage'],
];
const PERIODS =
  /\b(yesterday|last week|last month|this month|this quarter|last quarter|\d{1,3} ?d(?:ays)?|january|february|march|april|may|june|july|august|september|october|november|december)\b/;
const SUBJECT = /@[\w.-]{1,64}|\b[\w.-]{1,64}@[\w.-]{1,64}/;

/**
 * A model would choose a tool and its words from the descriptions; these rules replace it. Pure.
 *
 * @param views those that the description of the tool `usage` names
 * @example callFor('how much did I use last week?', ['models']) // { tool: 'usage', words: { period: 'last week', subject: 'me' } }
 */
export function callFor(question: string, views: readonly string[]): ToolCall {
  const text = question.toLowerCase();
  const [, tool = 'usage'] = TOOLS.find(([pattern]) => pattern.test(text)) ?? [];
  const period = PERIODS.exec(text)?.[0].replace(/^(\d+) ?days?$/, '$1d');
  const side = text.split(/\W+/).find((word) => word !== 'summary' && word !== 'moved' && views.includes(word));
  const subject = SUBJECT.exec(text)?.[0] ?? (/\b(i|me|my|mine)\b/.test(text) ? 'me' : undefined);
  const takesPeriod = ['usage', 'controls', 'explain_digest', 'what_moved'].includes(tool);
  return {
    tool,
    words: {
      ...(takesPeriod && period !== undefined ? { period } : {}),
      ...(tool === 'usage' && side !== undefined ? { side } : {}),
      ...((tool === 'usage' || tool === 'limits') && subject !== undefined ? { subject } : {}),
    },
  };
}

/** The views in the description of an argument. @example viewsIn('A view: summary, people or moved. Left out: a summary.') */
export function viewsIn(description: string): string[] {
  const [, list = ''] = /^A view: ([^.]{1,500})\./.exec(description) ?? [];
  return list.split(/, | or /);
}
