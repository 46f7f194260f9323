/**
 * Words that this project does not use, as they stand in identifiers, comments and texts: each had a plain word in the field
 * already, or several meanings. `docs/architecture.md` has the words that stay.
 */
export const RETIRED_WORDS: readonly RegExp[] = [
  /wish/gi,
  /\bdeeds?\b|[a-z]Deeds?\b|\bdeed[A-Z]/g,
  /[a-z]Told\b|\btold[A-Z]\w*|\bTold[A-Z]\w*|\b(?:const|let|type|interface) [tT]old\b/g,
  /\b(?:tell|news)[A-Z]|\bTelling\b|\bNews\b/g,
  /happening/gi,
  /\bincident/gi,
  /overtaken/gi,
  /letGo|\badopt[A-Z(]/g,
  /unheard|heardOf|hearsOf|hears of/gi,
  /followTrouble|\btrouble\b/gi,
  /judgeWish|\bJudged\b|\bWanted\b|\bPrepared\b/g,
  /\bPassages?\b|[a-z]Passages?\b|\bpassages?[A-Z.(]/g,
  /\banew\b/gi,
  /\bwhoever\b/gi,
  /\bany more\b/gi,
  /\bmend(?:s|ed)?\b/gi,
  /\bSIGNS\b/g,
  /\bstor(?:y|ies)\b|[a-z]Stor(?:y|ies)\b|\bstor(?:y|ies)[A-Z]/g,
  /\b(?:MOST|LONGEST)_[A-Z]/g,
];
