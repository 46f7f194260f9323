import type { CommandLine } from '../messages/reading.ts';
import { VIEWS } from '../../usage/usage-command.ts';
import { line } from './rule.ts';

const isView = (word: string) => word !== 'summary' && VIEWS.some((view) => view === word);
const isSubject = (word: string) => word === 'me' || /[@<]/.test(word);

/** The neighbors of an answer that has no subject or view of its own. */
const NEIGHBORS: Readonly<Record<string, readonly CommandLine[]>> = {
  '/limits': [line('/usage', 'this month me'), line('/limits')],
  '/budget': [line('/budget'), line('/usage', 'this month')],
  '/readiness': [line('/readiness')],
  '/computers': [line('/computers')],
  '/controls': [line('/controls'), line('/controls', 'history')],
  '/digest': [line('/digest'), line('/digest', 'why')],
  '/quartermaster': [line('/quartermaster'), line('/quartermaster', 'here')],
  '/session': [line('/session', 'mine')],
};

/** What else could have been meant: another subject, another view. @example nearLines(line('/usage', 'last week me')) */
export function nearLines({ command, text }: CommandLine): CommandLine[] {
  const words = text.split(' ').filter((word) => word !== '');
  if (command !== '/usage') return [...(NEIGHBORS[command] ?? [])];
  const at = words.indexOf('vs');
  if (at >= 0) return [line('/usage', ...words.slice(0, at)), line('/usage', ...words.slice(at + 1))];
  if (words.includes('csv')) return [line('/usage', ...words.filter((word) => word !== 'csv'))];
  const [first = '', ...rest] = words;
  const days = (isView(first) ? rest : words).filter((word) => !isSubject(word) && word !== 'more');
  const subject = words.find((word) => isSubject(word));
  const view = isView(first) ? first : undefined;
  const others: CommandLine[] = [];
  if (view === undefined || ['credits', 'models', 'tools', 'productivity'].includes(view)) {
    if (subject === 'me') others.push(line('/usage', view, ...days));
    if (subject === undefined) others.push(line('/usage', view, ...days, 'me'));
  }
  return [
    ...others,
    view === undefined ? line('/usage', 'models', ...days, subject) : line('/usage', ...days, subject),
  ];
}
