import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { formatPeriod } from '../../../core/base/time/calendar.ts';
import { note, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import { peopleWords } from '../../limits/core/person-text.ts';
import { dryRunDaysOf, type BackTest } from '../back-test/back-test.ts';
import { isRaiseRules, isTeamRules, type PolicyRules } from '../rules/policy-rules.ts';
import { reasonWords } from '../store/policy-words.ts';

const MAX_SHOWN = 10;

/** What the version would have done, and the worst case. */
export function backTestParagraphs(backTest: BackTest, rules: PolicyRules): AnyParagraph[] {
  const months = formatPeriod(backTest);
  const cases = rules.kind !== 'default' ? countOf(backTest.cases, 'request') : peopleWords(backTest.cases);
  if (backTest.isFew)
    return [
      prose([
        markup`*Back-test:* ${cases} from ${months}, too few to say what it would have done.`,
        worstLine(backTest, rules),
      ]),
      note(`${dryRunWords(rules, backTest)} Teams are those of today.`),
    ];
  return [
    prose([
      markup`*Back-test over ${months}:* ${countOf(backTest.grants, 'grant')} for ${peopleWords(backTest.people)}, *${formatShortAmount(backTest.credits)}* credits released (${cases}).`,
      worstLine(backTest, rules),
      ...comparedLines(backTest, rules),
      ...reasonLines(backTest),
    ]),
    ...(backTest.touched.length === 0
      ? []
      : [prose([markup`*Whose limit it would have set*`, ...touchedLines(backTest)])]),
    note('Teams are those of today. The figures of those days count as fresh, and limits as set only here.'),
  ];
}

/** Says why it takes longer than chosen. */
export function dryRunWords(rules: PolicyRules, backTest: BackTest): string {
  if (isTeamRules(rules)) return 'It has no dry run: people decide.';
  const days = dryRunDaysOf(rules, backTest);
  const why = days > rules.dryRunDays ? ` instead of ${rules.dryRunDays}, because the past says too little` : '';
  return `Its dry run takes ${countOf(days, 'day')}${why}.`;
}

function worstLine({ worst: { people, times, credits, periods } }: BackTest, rules: PolicyRules): Markup {
  if (periods === undefined) return markup`*Worst case:* run the back-test again to see it.`;
  if (isTeamRules(rules))
    return markup`*Worst case in 31 days:* ${formatShortAmount(credits)} credits charged: these days can touch ${countOf(periods, 'period')} of limits, each with ${rules.pool === null ? 'the highest limit for everybody' : 'a whole pool'}. First limits have no end, and count in each.`;
  const each = isRaiseRules(rules) && times > 0 ? `, ${countOf(times, 'raise')} each` : '';
  return markup`*Worst case in 31 days:* ${formatShortAmount(credits)} credits released (${peopleWords(people)}${each}). ${assumption(periods, rules)}`;
}

/** What the worst case rests on. */
function assumption(periods: number, rules: PolicyRules): string {
  const begins = isRaiseRules(rules)
    ? `These days can touch ${countOf(periods, 'period')} of limits, and raises begin again in each.`
    : '';
  return `${begins} It assumes that permanent limits and teams stay as they are, and that admins resume the policies at each cap.`.trim();
}

function comparedLines(
  { compared: { agreed, stricter, looser }, grants, cases }: BackTest,
  rules: PolicyRules,
): Markup[] {
  if (isTeamRules(rules))
    return [
      markup`Its leads could have decided ${countOf(grants, 'request')}; ${cases - grants} would have gone to the admins.`,
    ];
  if (!isRaiseRules(rules)) return [];
  return [
    markup`*What admins decided:* ${agreed} approved as the policy would, ${stricter} denied or lowered that it would grant, ${looser} approved that it would leave to a person.`,
  ];
}

function reasonLines({ reasons }: BackTest): Markup[] {
  const [first, ...others] = reasons;
  if (!first) return [];
  const words = [first, ...others].slice(0, 3).map(({ reason, count }) => `${reasonWords(reason)} (${count})`);
  return [markup`*Left to a person:* ${words.join('; ')}.`];
}

function touchedLines({ touched, people }: BackTest): Markup[] {
  const shown = touched.slice(0, MAX_SHOWN);
  const rest = people - shown.length;
  return [
    ...shown.map(
      ({ who, grants, credits }) =>
        markup`•  ${who.includes('@') ? markup`${who}` : mention(who)}: ${countOf(grants, 'grant')}, ${formatShortAmount(credits)}`,
    ),
    ...(rest > 0 ? [markup`•  and ${rest} more`] : []),
  ];
}
