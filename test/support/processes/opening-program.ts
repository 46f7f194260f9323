import { spawn } from 'node:child_process';

/** The user and group of an unprivileged process, which own nothing. */
const NOBODY = 65_534;

/**
 * It loads the modules before it gives up being root: the other user may not be allowed to enter the folder with the
 * sources, so it could not even start Node from there.
 */
const BECOME_NOBODY = `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});`;

/**
 * The text of a program that opens the store and reports the result.
 * @param asNobody it opens the store as a user that is not root; only root can run such a program
 */
export function openingProgram(url: string, { asNobody = false } = {}): string {
  const module = new URL('../../../src/core/store/database.ts', import.meta.url).href;
  const become = asNobody ? BECOME_NOBODY : '';
  return `import('${module}').then((store) => { ${become} return store.openStore('${url}'); }).then((opened) => opened.close()).then(() => console.log('opened'), (error) => console.log(error.message));`;
}

/** Runs a program and returns its output. */
export function runProgram(program: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
