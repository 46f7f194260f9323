import { z } from 'zod';
import type { Day } from '../../base/time/calendar.ts';
import type { UserRow } from '../../platform/endpoints/analytics-rows.ts';
import {
  type Column,
  type NumberColumn,
  type TextColumn,
  isNumberColumn,
  numberColumn,
  sizeOfColumn,
  textAt,
  textColumn,
} from './column-codec.ts';
import type { PeopleDictionary } from './people-dictionary.ts';

/** The rows of people of a day; without any for a published day without use. All its users share it. */
export interface PeopleColumns {
  readonly date: Day;
  readonly people: PeopleDictionary;
  /** A place for each row. */
  readonly places: Uint32Array;
  /** The values of the rows, column by column. */
  readonly values: readonly Column[];
  /** Whether a row has no e-mail. */
  readonly lacksEmails: boolean;
}

/** Makes the columns of a day from rows. */
export interface ColumnsBuilder<Row> {
  add(row: Row): void;
  finish(date: Day): PeopleColumns;
}

/** A row of `/tokens`: id, e-mail, credits. */
export type CreditsOfPerson = readonly [userId: string, email: string | null, credits: number | null];

export function createCreditsBuilder(people: PeopleDictionary): ColumnsBuilder<CreditsOfPerson> {
  const places: number[] = [];
  const credits: number[] = [];
  return {
    add: ([userId, email, amount]) => {
      places.push(people.placeOf(userId, email));
      credits.push(amount ?? Number.NaN);
    },
    finish: (date) => toColumns(date, people, places, [numberColumn(credits)]),
  };
}

export const toColumns = (
  date: Day,
  people: PeopleDictionary,
  rows: ArrayLike<number>,
  values: readonly Column[],
): PeopleColumns => {
  const places = rows instanceof Uint32Array ? rows : Uint32Array.from(rows);
  const lacksEmails = people.lacksEmails && places.some((place) => people.emailAt(place) === undefined);
  return { date, people, places, values, lacksEmails };
};

const NUMBERS = [
  'tool_calls',
  'billable_tokens',
  'files_created',
  'files_edited',
  'git_commits',
  'git_prs_created',
  'mcp_calls',
  'skill_calls',
  'slash_commands',
  'hooks',
  'sessions',
  'messages',
  'user_messages',
  'assistant_messages',
  'autonomy_ratio',
] as const satisfies readonly (keyof UserRow)[];

const TEXTS = ['primary_model', 'primary_model_tier', 'delegation_level'] as const satisfies readonly (keyof UserRow)[];

/** Takes rows of `/users`: the columns are `NUMBERS`, `TEXTS`, and the languages of a row as one text. */
export function createUsersBuilder(people: PeopleDictionary): ColumnsBuilder<UserRow> {
  const places: number[] = [];
  const numbers = NUMBERS.map((): number[] => []);
  const texts = [...TEXTS, 'languages'].map((): (string | null)[] => []);
  return {
    add: (row) => {
      places.push(people.placeOf(row.user_id, row.user_email));
      for (const [at, name] of NUMBERS.entries()) numbers[at]?.push(row[name] ?? Number.NaN);
      for (const [at, name] of TEXTS.entries()) texts[at]?.push(row[name]);
      texts.at(-1)?.push(row.languages.length === 0 ? null : JSON.stringify(row.languages));
    },
    finish: (date) => toColumns(date, people, places, [...numbers.map(numberColumn), ...texts.map(textColumn)]),
  };
}

/** Returns the credits of a day of `/tokens`, by row; `NaN` if the platform left them out. */
export const creditsOf = ({ values }: PeopleColumns): NumberColumn => numbersAt(values, 0);

function numbersAt(values: readonly Column[], at: number): NumberColumn {
  const column = values[at] ?? new Uint32Array();
  if (!isNumberColumn(column)) throw new TypeError(`Column ${at} has no numbers`);
  return column;
}

/** @returns null for a value that the platform left out */
export const numberIn = (column: NumberColumn | undefined, row: number): number | null => {
  const value = column?.[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
};

function textsAt(values: readonly Column[], at: number): TextColumn {
  const column = values[at] ?? textColumn([]);
  if (isNumberColumn(column)) throw new TypeError(`Column ${at} has no texts`);
  return column;
}

const languagesSchema = z.array(z.string());

const textIn = (column: TextColumn | undefined, row: number) => (column ? textAt(column, row) : null);

/** Returns the rows of a day of `/users`. */
export function* usersOf({ date, people, places, values }: PeopleColumns): Generator<UserRow> {
  const numbers = NUMBERS.map((_, at) => numbersAt(values, at));
  const [calls, credits, created, edited, commits, requests, mcp, skills, slash, hooks] = numbers;
  const [sessions, messages, byUser, byAssistant, autonomy] = numbers.slice(-5);
  const [model, tier, delegation] = TEXTS.map((_, at) => textsAt(values, NUMBERS.length + at));
  const { texts, indexes } = textsAt(values, NUMBERS.length + TEXTS.length);
  const languages = texts.map((text) => languagesSchema.parse(JSON.parse(text)));
  for (const [row, place] of places.entries())
    yield {
      user_id: people.userIdAt(place),
      user_email: people.spellingAt(place),
      date,
      tool_calls: numberIn(calls, row),
      billable_tokens: numberIn(credits, row),
      primary_model: textIn(model, row),
      primary_model_tier: textIn(tier, row),
      files_created: numberIn(created, row),
      files_edited: numberIn(edited, row),
      git_commits: numberIn(commits, row),
      git_prs_created: numberIn(requests, row),
      mcp_calls: numberIn(mcp, row),
      skill_calls: numberIn(skills, row),
      slash_commands: numberIn(slash, row),
      hooks: numberIn(hooks, row),
      sessions: numberIn(sessions, row),
      messages: numberIn(messages, row),
      user_messages: numberIn(byUser, row),
      assistant_messages: numberIn(byAssistant, row),
      autonomy_ratio: numberIn(autonomy, row),
      delegation_level: textIn(delegation, row),
      languages: languages[(indexes[row] ?? 0) - 1] ?? [],
    };
}

/** In bytes. */
export const sizeOf = ({ places, values }: PeopleColumns): number =>
  values.reduce((sum, column) => sum + sizeOfColumn(column), places.byteLength);
