import type { CommandLine, Reading } from '../messages/reading.ts';
import type { Question } from './question.ts';

/** The parts of a message besides its tags. A rule that does not take a part does not fit a message that has it. */
export type Part =
  | 'period'
  | 'person'
  | 'group'
  | 'number'
  | 'repository'
  | 'named'
  | 'setting'
  | 'channel'
  | 'two'
  | 'filter';

/**
 * Fits a message that has all tags it needs, and nothing else than what it may have: a word that a rule does not expect
 * could change the meaning, so the message is not answered by it.
 */
export interface Rule {
  /** Each of them, or one of several: `digest why|problem`. */
  needs: string;
  may?: string;
  takes?: readonly Part[];
  /** The message may name days to come. */
  mayBeAhead?: true;
  read: (question: Question) => CommandLine | Reading | undefined;
}

/** Tags that change no meaning wherever they are. */
const EVERYWHERE = 'use total howMuch agent';

export const line = (command: string, ...words: readonly (string | number | undefined)[]): CommandLine => ({
  command,
  text: words.filter((word) => word !== undefined && word !== '').join(' '),
});

export const action = (command: string, ...words: readonly (string | number | undefined)[]): Reading => ({
  kind: 'action',
  line: line(command, ...words),
});

export const unclear = (...near: readonly CommandLine[]): Reading => ({ kind: 'unclear', near });

const listOf = (tags: string) => tags.split(' ').filter((tag) => tag !== '');

export function fits({ needs, may = '', takes = [] }: Rule, question: Question): boolean {
  const groups = listOf(needs).map((group) => group.split('|'));
  if (!groups.every((group) => group.some((tag) => question.tags.has(tag)))) return false;
  const allowed = new Set([...groups.flat(), ...listOf(may), ...listOf(EVERYWHERE)]);
  if ([...question.tags].some((tag) => !allowed.has(tag))) return false;
  return partsOf(question).every((part) => takes.includes(part));
}

function partsOf(question: Question): Part[] {
  const { periods, subjects, groups, numbers, repositories, named, settings, channels } = question;
  const counts: readonly [Part, number][] = [
    ['period', periods.length],
    ['group', groups.length],
    ['person', subjects.length - groups.length],
    ['number', numbers.length],
    ['repository', repositories.length],
    ['named', named.length],
    ['setting', settings.length],
    ['channel', channels.length],
    ['filter', question.filter === undefined ? 0 : 1],
  ];
  const has = counts.filter(([, count]) => count > 0).map(([part]) => part);
  const isTwice = subjects.length > 1 || periods.length > 1 || named.length > 1 || repositories.length > 1;
  return isTwice ? [...has, 'two'] : has;
}
