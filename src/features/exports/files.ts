import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { batchesOf, eachInTurns } from '../../core/base/time/turns.ts';
import type { Day } from '../../core/base/time/calendar.ts';
import { writeWhole } from '../../core/store/whole-file.ts';
import type { ExportedResource } from './rows.ts';

/** A file without a manifest is unfinished and must not be read. */
export const manifestSchema = z.object({
  resource: z.string(),
  day: z.iso.date(),
  /** 1, 2, 3 …: each later change of the day’s figures adds a version. */
  version: z.number().int().positive(),
  file: z.string(),
  rows: z.number().int().nonnegative(),
  /** The hash of the compressed file. */
  sha256: z.string().length(64),
  /** The hash of the lines, to compare two versions. */
  content_sha256: z.string().length(64),
  /** `fresh`: it may still change. */
  day_state: z.enum(['fresh', 'settled']),
  read_at: z.iso.datetime(),
  people: z.enum(['by e-mail', 'by hash', 'none']),
  /** The price of the day, which each row of credits has too. */
  price_per_million: z.string().optional(),
  currency: z.string().optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const compress = promisify(gzip);
export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const folderOf = (directory: string, resource: ExportedResource) => join(directory, resource);
const MANIFEST = /^(\d{4}-\d{2}-\d{2})\.v(\d{1,6})\.manifest\.json$/;

export function newestManifests(directory: string, resource: ExportedResource): Map<Day, Manifest> {
  const folder = folderOf(directory, resource);
  const newestByDay = new Map<Day, Manifest>();
  if (!existsSync(folder)) return newestByDay;
  for (const name of readdirSync(folder)) {
    const [, day, version] = MANIFEST.exec(name) ?? [];
    if (day === undefined || Number(version) <= (newestByDay.get(day)?.version ?? 0)) continue;
    newestByDay.set(day, manifestSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
  }
  return newestByDay;
}

export interface DayContents {
  rows: readonly object[];
  dayState: Manifest['day_state'];
  readAt: Date;
  people: Manifest['people'];
  price: ExportedPrice;
}

/** Empty without a price. */
export type ExportedPrice = Pick<Manifest, 'price_per_million' | 'currency'>;

/**
 * Writes a day if it is new or its rows differ from the newest version. The manifest comes last, so that a killed
 * program leaves no file that counts as finished.
 *
 * @returns whether a version was written
 */
export async function writeDay(
  directory: string,
  { resource, day }: { resource: ExportedResource; day: Day },
  newest: Manifest | undefined,
  { rows, dayState, readAt, people, price }: DayContents,
): Promise<{ isNew: boolean }> {
  const folder = folderOf(directory, resource);
  mkdirSync(folder, { recursive: true });
  const lines = await linesOf(rows, price);
  const content = sha256(lines);
  const isNew = newest?.content_sha256 !== content || newest.people !== people;
  const version = (newest?.version ?? 0) + (isNew ? 1 : 0);
  const file = `${day}.v${version}.ndjson.gz`;
  const path = join(folder, file);
  const bytes = isNew ? await compress(lines) : readFileSync(path);
  if (isNew) await writeWhole(path, (unfinished) => Promise.resolve(writeFileSync(unfinished, bytes)));
  const manifest: Manifest = {
    resource,
    day,
    version,
    file,
    rows: rows.length,
    sha256: sha256(bytes),
    content_sha256: content,
    day_state: dayState,
    read_at: readAt.toISOString(),
    people,
    ...price,
  };
  await writeManifest(folder, manifest);
  return { isNew };
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const path = join(folder, `${manifest.day}.v${manifest.version}.manifest.json`);
  await writeWhole(path, (unfinished) => Promise.resolve(writeFileSync(unfinished, text)));
}

const ROWS_A_TURN = 500;

/** Yields to the event loop, because a day of a large organization takes long to serialize. */
async function linesOf(rows: readonly object[], price: ExportedPrice): Promise<string> {
  const parts: string[] = [];
  for await (const some of eachInTurns(batchesOf(rows, { maxItems: ROWS_A_TURN }))) {
    parts.push(...some.map((row) => `${JSON.stringify({ ...row, ...price })}\n`));
  }
  return parts.join('');
}

export function removeUnfinished(directory: string, resource: ExportedResource): void {
  const folder = folderOf(directory, resource);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith('.unfinished')) rmSync(join(folder, name), { force: true });
}
