import { didYouMean, readReference } from '../../core/slack/commands/command-text.ts';
import type { People } from '../../core/slack/people/people.ts';
import { nameKey } from '../../core/base/text/email.ts';
import { wordsIn } from '../../core/base/text/word-list.ts';

export type SubjectWords =
  /** A word of the commands: `me`, `<!subteam^S1>`, `mia@acme.example`; empty: the organization. */
  { kind: 'word'; word: string } | { kind: 'unclear'; sentence: string; meant: readonly string[] };

const OWN = new Set(['me', 'my', 'mine', 'myself', 'i']);
const ORGANIZATION = new Set(['', ...wordsIn('organization organisation org company everyone everybody all us we')]);
/** Longer texts are no names, and comparing them takes long. */
const MAX_LENGTH = 100;
const MAX_MEANT = 3;

/**
 * Finds the person or user group that a text names: `me`, an e-mail, a mention, `@web-team`, `web-team`, `Mia Chen`,
 * `mia`. A name that fits several people is unclear; corrections name people only to a reader who may see them.
 */
export async function readSubjectWords(
  text: string,
  people: Pick<People, 'teams' | 'names'>,
  { namesPeople }: { namesPeople: boolean },
): Promise<SubjectWords> {
  const typed = text.trim();
  if (typed.length > MAX_LENGTH) return unclear('The name is too long.', []);
  const reference = readReference(typed);
  if (reference) return { kind: 'word', word: reference.kind === 'email' ? reference.email : typed };
  const name = nameKey(typed.replace(/^@/, ''));
  if (OWN.has(name)) return { kind: 'word', word: 'me' };
  if (ORGANIZATION.has(name)) return { kind: 'word', word: '' };
  const [teams, names] = await Promise.all([people.teams(), people.names()]);
  const directory = directoryOf(teams, names);
  const team = directory.team(name.replaceAll(' ', '-'));
  if (team !== undefined) return { kind: 'word', word: team };
  const matches = directory.people(name);
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return { kind: 'word', word: first };
  if (first !== undefined) return unclear(`Several people are called “${typed}”.`, namesPeople ? matches : []);
  const candidates = new Map([
    ...teams.map(({ handle }) => [handle.toLowerCase(), `@${handle}`] as const),
    ...(namesPeople ? [...names].map(([, one]) => [one.toLowerCase(), one] as const) : []),
  ]);
  const near = candidates.get(didYouMean(name, [...candidates.keys()]) ?? '');
  return unclear(`No person or team here is called “${typed}”.`, near === undefined ? [] : [near]);
}

/** Finds user groups and people by name, for questions in words and for tools. */
export interface Directory {
  /** A user group by its handle; “web” is @web-team. */
  team: (handle: string) => string | undefined;
  /** E-mails by full, first or last name, or by the part before the @; a full name comes before all others. */
  people: (name: string) => readonly string[];
}

type Teams = Awaited<ReturnType<People['teams']>>;

/** The names stay the same for an hour, and an organization can have thousands. */
const indexes = new WeakMap<ReadonlyMap<string, string>, ReadonlyMap<string, ReadonlySet<string>>>();

export function directoryOf(teams: Teams, names: ReadonlyMap<string, string>): Directory {
  const groups = new Map<string, string>();
  for (const { handle, id } of teams) {
    const short = handle.toLowerCase().replace(/-(?:team|squad|group)$/, '');
    if (!groups.has(short)) groups.set(short, `<!subteam^${id}>`);
  }
  for (const { handle, id } of teams) groups.set(handle.toLowerCase(), `<!subteam^${id}>`);
  const index = indexes.get(names) ?? indexOf(names);
  indexes.set(names, index);
  return {
    team: (handle) => groups.get(handle),
    people: (name) => [...(index.get(`full ${name}`) ?? index.get(name) ?? [])],
  };
}

function indexOf(names: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
  const index = new Map<string, Set<string>>();
  for (const [email, name] of names) {
    const full = nameKey(name);
    for (const key of [`full ${full}`, ...full.split(/\s+/), nameKey(email.split('@', 1)[0] ?? '')])
      if (key !== '') index.set(key, (index.get(key) ?? new Set()).add(email));
  }
  return index;
}

const unclear = (sentence: string, meant: readonly string[]): SubjectWords => ({
  kind: 'unclear',
  sentence,
  meant: meant.slice(0, MAX_MEANT),
});

const GROUP_NOUNS = new Set(wordsIn('team teams group squad folks crew people guys devs'));
const MENTIONS: Readonly<Record<string, string>> = { '@': 'person', '#': 'channel', '!subteam^': 'group' };

interface WordReference {
  kind: string;
  /** A word of the commands. */
  word: string;
  count: number;
}

/**
 * The person, user group or channel at the beginning of some words: a mention, an e-mail, `@web`, “the web team”,
 * “dana”. A handle without `@` or a noun is an ordinary word, except where two things are compared.
 */
export function referenceIn(
  [first, second]: readonly { word: string; stem: string }[],
  directory: Directory,
  { isComparison, isKnown }: { isComparison: boolean; isKnown: (word: string) => boolean },
): WordReference | undefined {
  const { word = '', stem = '' } = first ?? {};
  const mention = /^<(@|#|!subteam\^)[A-Z0-9]+>$/.exec(word)?.[1];
  if (mention !== undefined) return { kind: MENTIONS[mention] ?? 'person', word, count: 1 };
  if (/^#\d+$/.test(word)) return { kind: 'number', word: word.slice(1), count: 1 };
  if (word.startsWith('#')) return { kind: 'channel', word, count: 1 };
  if (stem.includes('@') && readReference(stem)?.kind === 'email') return { kind: 'person', word: stem, count: 1 };
  const isHandle = stem.startsWith('@');
  const name = stem.replace(/^@/, '');
  const next = second?.stem ?? '';
  const compound = isHandle ? undefined : directory.team(`${name}-${next}`);
  if (compound !== undefined) return { kind: 'group', word: compound, count: 2 };
  const group = directory.team(name);
  if (group !== undefined && !isHandle && GROUP_NOUNS.has(next)) return { kind: 'group', word: group, count: 2 };
  if (group !== undefined) return isHandle || isComparison ? { kind: 'group', word: group, count: 1 } : undefined;
  // “Will” and “Grant” are names, too.
  if (!isHandle && isKnown(word)) return undefined;
  const [full, otherFull] = directory.people(`${name} ${next}`);
  if (full !== undefined && otherFull === undefined) return { kind: 'person', word: full, count: 2 };
  const spellings = new Set([name, isHandle ? name : word.replace(/s$/, '')]);
  const [person, other] = [...spellings].flatMap((one) => directory.people(one));
  if (person !== undefined && other === undefined) return { kind: 'person', word: person, count: 1 };
  return isHandle ? { kind: 'person', word: stem, count: 1 } : undefined;
}
