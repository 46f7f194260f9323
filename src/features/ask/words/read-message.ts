import { dayOf } from '../../../core/base/time/calendar.ts';
import type { CommandLine, Reading } from '../messages/reading.ts';
import { nearLines } from './near-lines.ts';
import { readQuestion, type Names, type Question } from './question.ts';
import { fits, type Rule } from './rule.ts';
import { ACTION_RULES } from './rules/action-rules.ts';
import { THING_RULES } from './rules/thing-rules.ts';
import { USAGE_RULES } from './rules/usage-rules.ts';

const RULES: readonly Rule[] = [...ACTION_RULES, ...THING_RULES, ...USAGE_RULES];
const MAX_NEAR = 3;

/** Finds the command by fixed rules. A word of unknown meaning could change it, so nothing is answered. Pure. */
export function readMessageText(text: string, names: Names, now: Date): Reading {
  const question = readQuestion(text, names, dayOf(now));
  if (question.wordCount === 0) return { kind: 'unknown', near: [] };
  if (question.problem !== undefined) return { kind: 'ambiguous', sentence: question.problem };
  const rules = RULES.filter((rule) => fits(rule, question));
  const [reading, ...others] = readingsOf(rules, question);
  if (!reading) return { kind: 'unknown', near: [] };
  if (question.unknown.length === 0 && areClear(question, rules)) {
    if (reading.kind !== 'answer') return reading;
    if (dropsPeriod(question, reading.line)) return { kind: 'unclear', near: [reading.line] };
    const near = [...linesOf(others), ...nearLines(reading.line)].filter((one) => !isSame(one, reading.line));
    return { ...reading, near: near.filter((one, index) => near.findIndex((other) => isSame(one, other)) === index) };
  }
  const meant = meaningsOf(question, rules);
  if (meant.length > 0 && question.unknown.length === 0) return { kind: 'unclear', near: meant.slice(0, MAX_NEAR) };
  const isMostlyUnknown = question.unknown.length * 2 > question.wordCount;
  if (isMostlyUnknown) return { kind: 'unknown', near: [] };
  return { kind: 'unclear', near: [...linesOf([reading, ...others])].slice(0, MAX_NEAR) };
}

/** Commands whose figures are those of a period: of other days than those asked for, they would be a wrong answer. */
const OF_A_PERIOD = new Set(['/usage', '/budget']);

/** Budgets, and forecasts of the month, are about the current period, so a word for it may be left out. */
function dropsPeriod({ periods }: Question, { command, text }: CommandLine): boolean {
  return (
    OF_A_PERIOD.has(command) &&
    periods.some(
      (period) => period.kind === 'days' && !text.includes(period.words) && !(command === '/budget' && isNow(period)),
    )
  );
}

const isNow = ({ words }: { words: string }) => words.startsWith('this ');

/** Days of one meaning, in the past unless the first rule is about days to come. */
function areClear({ periods }: Question, [rule]: readonly Rule[]): boolean {
  return periods.every(({ kind }) => kind === 'days' || (kind === 'future' && rule?.mayBeAhead === true));
}

/** One reading for each meaning of a period such as `04/05`. */
function meaningsOf(question: Question, rules: readonly Rule[]): CommandLine[] {
  const [period, ...others] = question.periods;
  if (period?.kind !== 'unclear' || others.length > 0) return [];
  return period.options.flatMap((words) =>
    linesOf(readingsOf(rules, { ...question, periods: [{ kind: 'days', words }] })).slice(0, 1),
  );
}

function readingsOf(rules: readonly Rule[], question: Question): Reading[] {
  return rules.flatMap(({ read }) => {
    const result = read(question);
    if (!result) return [];
    return ['kind' in result ? result : { kind: 'answer' as const, line: result, near: [] }];
  });
}

const isSame = (one: CommandLine, other: CommandLine) => one.command === other.command && one.text === other.text;

const linesOf = (readings: readonly Reading[]): CommandLine[] =>
  readings.flatMap((reading) => ('line' in reading ? [reading.line] : 'near' in reading ? reading.near : []));
