import type { DigestSection } from '../../core/feature.ts';
import { didYouMean, joinWords, readReference, type ParsedCommand } from '../../core/slack/commands/command-text.ts';
import { misunderstood, run, type ReadSubcommand } from '../../core/slack/commands/subcommands.ts';
import { CADENCES, WEEKDAY_NAMES } from './core/settings.ts';

/** What the words after `/digest new` fill in; the form asks for the rest. */
export interface DigestWords {
  rhythm?: string;
  /** 1 is Monday. */
  weekday?: string;
  /** A local time such as `09:30`. */
  at?: string;
  /** The id of a user group. */
  group?: string;
  people: readonly string[];
  channel?: string;
  /** By direct message to the person who asks. */
  isForMe: boolean;
  sections: readonly string[];
}

export const NO_WORDS: DigestWords = { isForMe: false, people: [], sections: [] };

type DraftWords = Omit<DigestWords, 'people' | 'sections'> & { people: string[]; sections: string[] };

/** The form calls the section `summary` “Usage”, so people type either. */
export type SectionName = Pick<DigestSection, 'id' | 'title'>;

const RHYTHMS: readonly string[] = CADENCES;
const WEEKDAYS = WEEKDAY_NAMES.map((name) => name.toLowerCase());
/** More people than this are chosen in the form. */
const MAX_PEOPLE = 20;

/** Reads the words in any order. @param sections the sections that exist */
export function readDigestWords(sections: readonly SectionName[]): ReadSubcommand<{ kind: 'new'; words: DigestWords }> {
  return (words) => {
    const draft: DraftWords = { isForMe: false, people: [], sections: [] };
    for (const [index, word] of words.entries()) {
      const fault = addWord(draft, word, sections);
      if (fault === 'unknown') return unknownWord(words, index, sections);
      if (fault) return fault;
    }
    return run({ kind: 'new', words: draft });
  };
}

function addWord(
  draft: DraftWords,
  word: string,
  sections: readonly SectionName[],
): ParsedCommand<never> | 'unknown' | undefined {
  const lower = word.toLowerCase();
  const reference = readReference(word);
  const hour = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(lower);
  if (RHYTHMS.includes(lower)) return once(draft, 'rhythm', lower, 'rhythm');
  if (WEEKDAYS.includes(lower)) return readWeekday(draft, WEEKDAYS.indexOf(lower) + 1);
  if (hour) return once(draft, 'at', `${(hour[1] ?? '').padStart(2, '0')}:${hour[2]}`, 'time');
  if (reference?.kind === 'group') return once(draft, 'group', reference.slackId, 'team');
  if (reference?.kind === 'channel') return once(draft, 'channel', reference.slackId, 'channel');
  if (reference?.kind === 'person') {
    if (draft.people.length >= MAX_PEOPLE) return misunderstood(`Choose more than ${MAX_PEOPLE} people in the form.`);
    if (!draft.people.includes(reference.slackId)) draft.people.push(reference.slackId);
    return undefined;
  }
  if (lower === 'me') {
    draft.isForMe = true;
    return undefined;
  }
  const named = sections.find(({ id, title }) => lower === id || lower === title.toLowerCase());
  if (!named) return 'unknown';
  if (!draft.sections.includes(named.id)) draft.sections.push(named.id);
  return undefined;
}

function readWeekday(draft: DraftWords, weekday: number): ParsedCommand<never> | undefined {
  if (draft.rhythm !== undefined && draft.rhythm !== 'weekly')
    return misunderstood('Only a weekly digest has a weekday.');
  draft.rhythm = 'weekly';
  return once(draft, 'weekday', String(weekday), 'weekday');
}

function once(
  draft: DraftWords,
  key: 'rhythm' | 'weekday' | 'at' | 'group' | 'channel',
  value: string,
  what: string,
): ParsedCommand<never> | undefined {
  if (draft[key] !== undefined && draft[key] !== value) return misunderstood(`A digest has only one ${what}.`);
  draft[key] = value;
  return undefined;
}

function unknownWord(words: readonly string[], index: number, sections: readonly SectionName[]): ParsedCommand<never> {
  const word = words[index] ?? '';
  const meant = didYouMean(word, [
    ...RHYTHMS,
    ...WEEKDAYS,
    ...sections.flatMap(({ id, title }) => [title.toLowerCase(), id]),
  ]);
  const corrected = meant === undefined ? undefined : joinWords(['new', ...words.with(index, meant)]);
  return misunderstood(`Unknown word “${word}”.`, corrected);
}
