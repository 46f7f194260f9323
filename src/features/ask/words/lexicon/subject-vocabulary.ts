import type { Vocabulary } from './vocabulary.ts';

export const SUBJECT_VOCABULARY: Vocabulary = {
  me: 'i|me|my|mine|myself|ive|im|id|ill|i myself|of mine|my own|by me|for me|own|mine only|i have|have i|me only|me personally|personally|just me|only me|i am|am i|did i|do i|my personal',
  org: 'we|us|our|ours|weve|were we|org|organisation|organization|company|workspace|whole org|whole organization|whole organisation|whole company|entire company|entire org|entire organization|org wide|org-wide|orgwide|company wide|company-wide|companywide|everyone|everybody|all of us|as a company|as an org|as an organization|everyone together|everybody together|business|firm|whole place|across org|across company|across board|organizations|companys|whole workspace|globally',
  myTeam:
    'my team|our team|my squad|my group|my department|my people|my direct reports|my reports|my folks|our squad|my devs|my teams',
};
