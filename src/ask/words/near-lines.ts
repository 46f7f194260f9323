import type { CommandLine } from '../messages/reading.ts';
import { line } from './rule.ts';

const SIDES = new Set(['credits', 'models', 'tools', 'activity', 'productivity', 'people', 'teams', 'moved']);
const isSubject = (word: string) => word === 'me' || /[@<]/.test(word);

/** What else could have been meant: another subject, another side. @example nearLines(line('/usage', 'last week me')) */
export function nearLines({ command, text }: CommandLine): CommandLine[] {
  if (command === '/limits') return [line('/usage', 'this month me')];
  const words = text.split(' ').filter((word) => word !== '');
  if (command !== '/usage' || words.includes('vs') || words.includes('csv')) return [];
  const [first = '', ...rest] = words;
  const days = (SIDES.has(first) ? rest : words).filter((word) => !isSubject(word) && word !== 'more');
  const subject = words.find((word) => isSubject(word));
  const side = SIDES.has(first) ? first : undefined;
  const others: CommandLine[] = [];
  if (side === undefined || ['credits', 'models', 'tools', 'productivity'].includes(side)) {
    if (subject === 'me') others.push(line('/usage', side, ...days));
    if (subject === undefined) others.push(line('/usage', side, ...days, 'me'));
  }
  return [
    ...others,
    side === undefined ? line('/usage', 'models', ...days, subject) : line('/usage', ...days, subject),
  ];
}
