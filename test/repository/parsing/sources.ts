import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** A file of this repository, by its path from the root, with `/` between folders. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Reads a file by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether there is such a file or folder. */
export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** All TypeScript files below a folder. */
export function typeScriptFiles(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .toSorted()
    .map((path) => ({ path, text: readText(path) }));
}

const IMPORT = /^\s*(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** The files of this repository that a file imports, types included, by their paths from the root. */
export function localImports({ path, text }: SourceFile): string[] {
  const names = [...text.matchAll(IMPORT), ...text.matchAll(DYNAMIC_IMPORT)].map((match) => match[1] ?? match[2] ?? '');
  return names.filter((name) => name.startsWith('.')).map((name) => relative(ROOT, join(ROOT, dirname(path), name)));
}
