import { eachInTurns } from '../../../core/base/time/turns.ts';
import { AMOUNT_RULE } from '../../../core/base/text/amounts.ts';
import { ANY_AMOUNT, limitProblem, readLimit, type LimitRule } from '../core/amount-rule.ts';
import { readEmail } from '../../../core/base/text/email.ts';

export const MAX_IMPORT_LINES = 5_000;
const LINES_A_TURN = 500;

export interface ImportLine {
  /** Counted from 1, as editors do. */
  line: number;
  email: string;
  amount: number;
  /** `none`: their own limit is removed; the amount is then 0. */
  removes?: true;
}

/** The contents of a list, by line number. */
export interface ReadList {
  lines: ImportLine[];
  invalid: { line: number; why: string }[];
  /** Repeats an earlier line with the same amount; the first line counts. */
  repeated: number[];
  /** Has different amounts for one e-mail. The right one is unknown, so none of the lines counts. */
  conflicting: number[];
  count: number;
}

/** Reads `email,limit` lines, separated by commas, semicolons or tabs; removes quotes, skips a heading, and yields. */
export async function readList(text: string, rule: LimitRule = ANY_AMOUNT): Promise<ReadList> {
  const rows = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const valid: ImportLine[] = [];
  const invalid: ReadList['invalid'] = [];
  let count = 0;
  for await (const [index, row] of eachInTurns(rows.entries(), LINES_A_TURN)) {
    const read = readLine(row, index + 1, rule);
    if (read === undefined || (count === 0 && isHeading(row))) continue;
    count += 1;
    if (count > MAX_IMPORT_LINES) continue;
    if ('why' in read) invalid.push(read);
    else valid.push(read);
  }
  return { ...withoutDuplicates(valid), invalid, count };
}

function readLine(row: string, line: number, rule: LimitRule): ImportLine | { line: number; why: string } | undefined {
  if (row.trim() === '') return undefined;
  const cells = cellsOf(row);
  const [who = '', typed = ''] = cells;
  if (cells.length !== 2) return { line, why: cells.length < 2 ? 'no limit' : whyTooMany(cells) };
  const email = readEmail(who);
  if (email === undefined) return { line, why: 'no e-mail' };
  const limit = readLimit(typed);
  const { amount, removes } = limit;
  const problem = limit.problem ?? limitProblem(rule, limit);
  if (problem === AMOUNT_RULE) return { line, why: 'no valid limit' };
  if (amount === undefined) return { line, why: problem ?? 'no valid limit' };
  if (problem !== undefined) return { line, why: lowerFirst(problem) };
  return { line, email, amount, ...(removes ? { removes } : {}) };
}

/** Other reasons follow the numbers of their lines. */
const lowerFirst = (sentence: string) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;

/** Unquoted, `4,000,000` is three cells. */
function whyTooMany([, first = '', ...groups]: readonly string[]): string {
  const isOneAmount = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  return isOneAmount ? 'write the amount without commas, such as 4000000 or 4m' : 'more than an e-mail and a limit';
}

const isHeading = (row: string) => /^\W*e-?mail\W/i.test(row);

/** Returns the cells of a line; a quoted cell may contain separators. */
function cellsOf(row: string): string[] {
  const cells = [...row.matchAll(/(?:^|[,;\t])[ ]*(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
  while (cells.length > 2 && cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

function withoutDuplicates(valid: readonly ImportLine[]): Pick<ReadList, 'lines' | 'repeated' | 'conflicting'> {
  const groups = Map.groupBy(valid, ({ email }) => email);
  const lines: ImportLine[] = [];
  const repeated: number[] = [];
  const conflicting: number[] = [];
  for (const group of groups.values()) {
    const [first, ...others] = group;
    if (first && others.every(({ amount, removes }) => amount === first.amount && removes === first.removes)) {
      lines.push(first);
      repeated.push(...others.map(({ line }) => line));
    } else conflicting.push(...group.map(({ line }) => line));
  }
  return { lines, repeated: repeated.toSorted(byNumber), conflicting: conflicting.toSorted(byNumber) };
}

const byNumber = (a: number, b: number) => a - b;
