import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { pseudonymsSchema } from '../../../core/store/erased-people.ts';
import { writeWhole } from '../../../core/store/whole-file.ts';

/** One erasure in a form that outlives the store: a backup from before the erasure does not contain it. */
const lineSchema = z.object({
  id: z.string().min(1).max(40),
  pseudonyms: pseudonymsSchema,
  asked_by: z.string().max(100),
  asked_at: z.iso.datetime(),
});
export type ListedErasure = z.infer<typeof lineSchema>;

const OWNER_ONLY = 0o600;
/** Marks an erasure that a command of the machine began. */
export const OPERATOR = 'operator';
/** Marks an erasure that the form began; the audit says by which admin. */
export const ADMIN = 'admin';

/** The list is unreadable or not writable; the message is one sentence for the operator. */
export class ErasureListError extends Error {
  override readonly name = 'ErasureListError';
}

/** @throws ErasureListError if it exists and is unreadable or has an invalid line: it must not count as empty */
export function readList(path: string): ListedErasure[] {
  if (!existsSync(path)) return [];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ErasureListError(`${path}, the list of erasures, cannot be read: let the program’s user read it.`, {
      cause: error,
    });
  }
  // The text after the last line end is from a program that was killed while it wrote, which writes it again.
  const lines = text.split('\n').slice(0, -1);
  return lines.filter((line) => line.trim() !== '').map((line, index) => readLine(line, `${path}, line ${index + 1},`));
}

function readLine(line: string, where: string): ListedErasure {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new ErasureListError(`${where} is no erasure: take the list of erasures from a copy.`, { cause: error });
  }
}

const isNamed = ({ asked_by: by }: ListedErasure) => by !== OPERATOR && by !== ADMIN;

/** Replaces the names of admins that earlier versions wrote into the list. */
export async function removeNames(path: string): Promise<void> {
  const listed = readList(path);
  if (!listed.some((one) => isNamed(one))) return;
  const lines = listed.map((one) => JSON.stringify(isNamed(one) ? { ...one, asked_by: ADMIN } : one));
  try {
    await writeWhole(path, (unfinished) => Promise.resolve(writeFileSync(unfinished, `${lines.join('\n')}\n`)));
  } catch (error) {
    throw new ErasureListError(cannotWrite(path), { cause: error });
  }
}

const cannotWrite = (path: string) =>
  `${path}, the list of erasures, cannot be written: let the program’s user write it, or set ERASURES_FILE.`;

/** Adds an erasure, unless the list contains it. It is on the disk when this returns. */
export function addToList(path: string, erasure: ListedErasure): void {
  const listedErasures = readList(path);
  if (listedErasures.some(({ id }) => id === erasure.id)) return;
  try {
    writeDurably(path, 'a', (file) => {
      // A partial line of a program that was killed is not part of the list.
      ftruncateSync(file, wholeBytes(path));
      writeSync(file, `${JSON.stringify(lineSchema.parse(erasure))}\n`);
    });
  } catch (error) {
    throw new ErasureListError(cannotWrite(path), { cause: error });
  }
}

/** Writes to a file that its owner alone reads. The contents are on the disk when this returns. */
export function writeDurably(path: string, flags: 'a' | 'wx', write: (file: number) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, flags, OWNER_ONLY);
  try {
    write(file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const wholeBytes = (path: string) => readFileSync(path).lastIndexOf('\n') + 1;
