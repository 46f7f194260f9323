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
import { pseudonymsSchema } from '../../store/erased-people.ts';
import { writeWhole } from '../../store/whole-file.ts';

/** One erasure, as it outlives the store: a backup from before it does not know of it. */
const lineSchema = z.object({
  id: z.string().min(1).max(40),
  pseudonyms: pseudonymsSchema,
  asked_by: z.string().max(100),
  asked_at: z.iso.datetime(),
});
export type ListedErasure = z.infer<typeof lineSchema>;

const OWNER_ONLY = 0o600;
/** Who asks by a command of the machine. */
export const OPERATOR = 'operator';
/** Who asks by the form; the audit says which one. */
export const ADMIN = 'admin';

/** The list cannot be read or written; the message is one sentence for the operator. */
export class ErasureListError extends Error {
  override readonly name = 'ErasureListError';
}

/** @throws ErasureListError when it is there and cannot be read, or a line of it is none of ours: it must not count as empty */
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
  // What follows the last end of a line was left by a program that was killed as it wrote; it is written again.
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

/** Earlier versions wrote into the list which admin asked; the list holds no name now. */
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

/** Adds an erasure, unless it is in there. It is on the disk when this returns. */
export function addToList(path: string, erasure: ListedErasure): void {
  const known = readList(path);
  if (known.some(({ id }) => id === erasure.id)) return;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a', OWNER_ONLY);
    try {
      // What a program that was killed left of a line is no part of the list.
      ftruncateSync(file, wholeBytes(path));
      writeSync(file, `${JSON.stringify(lineSchema.parse(erasure))}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new ErasureListError(cannotWrite(path), { cause: error });
  }
}

const wholeBytes = (path: string) => readFileSync(path).lastIndexOf('\n') + 1;
