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
  const team = teams.find(({ handle }) => handle.toLowerCase() === name.replaceAll(' ', '-'));
  if (team) return { kind: 'word', word: `<!subteam^${team.id}>` };
  const entries = [...names];
  const full = entries.filter(([, one]) => nameKey(one) === name);
  const matches = full.length > 0 ? full : entries.filter(([email, one]) => isPartOf(name, email, one));
  const [first] = matches;
  if (first && matches.length === 1) return { kind: 'word', word: first[0] };
  if (first)
    return unclear(`Several people are called “${typed}”.`, namesPeople ? matches.map(([email]) => email) : []);
  const candidates = new Map([
    ...teams.map(({ handle }) => [handle.toLowerCase(), `@${handle}`] as const),
    ...(namesPeople ? entries.map(([, one]) => [one.toLowerCase(), one] as const) : []),
  ]);
  const near = candidates.get(didYouMean(name, [...candidates.keys()]) ?? '');
  return unclear(`No person or team here is called “${typed}”.`, near === undefined ? [] : [near]);
}

/** A first or last name, or the part of an e-mail before the @. */
const isPartOf = (name: string, email: string, fullName: string) =>
  nameKey(fullName).split(/\s+/).includes(name) || nameKey(email.split('@', 1)[0] ?? '') === name;

const unclear = (sentence: string, meant: readonly string[]): SubjectWords => ({
  kind: 'unclear',
  sentence,
  meant: meant.slice(0, MAX_MEANT),
});
