import { type CommandText, type ReadOutcome, correctionOf, didYouMean, joinWords } from './command-text.ts';

/** A group that a typed name may mean; `handle` is without `@`. */
export interface NamedTeam {
  id: string;
  handle: string;
  /** Whether an admin chose it as a team. */
  isChosen: boolean;
}

/** Slack replaces each name that it knows, so a word that still begins with `@` is misspelled. */
export const isUnknownName = (word: string): boolean => /^@[^@]+$/.test(word);

export const chosenHandles = (teams: readonly NamedTeam[]): string[] =>
  teams.filter(({ isChosen }) => isChosen).map(({ handle }) => `@${handle}`);

/** Returns the command with the nearest group in place of an unknown name, the chosen teams first. */
export function meantTeam(
  words: readonly string[],
  teams: readonly NamedTeam[],
  readAgain: (words: readonly string[]) => ReadOutcome,
): { sentence: string; corrected: CommandText } | undefined {
  const index = words.findIndex(isUnknownName);
  const typed = words[index] ?? '';
  const chosen = teams.filter(({ isChosen }) => isChosen);
  const team = nearest(typed, chosen) ?? nearest(typed, teams);
  if (!team) return undefined;
  const corrected = correctionOf(
    { kind: 'misunderstood', corrected: joinWords(words.toSpliced(index, 1, `<!subteam^${team.id}>`)) },
    readAgain,
  );
  if (!corrected) return undefined;
  return { sentence: `No one in this workspace is called ${typed}. Did you mean @${team.handle}?`, corrected };
}

function nearest(typed: string, teams: readonly NamedTeam[]): NamedTeam | undefined {
  const handles = teams.map(({ handle }) => handle.toLowerCase());
  const meant = didYouMean(typed.slice(1), handles);
  return meant === undefined ? undefined : teams[handles.indexOf(meant)];
}
