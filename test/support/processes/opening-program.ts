import { spawn } from 'node:child_process';

/** The text of a program that opens the store and says how that went. */
export function openingProgram(url: string): string {
  const module = new URL('../../../src/store/database.ts', import.meta.url).href;
  return `import('${module}').then((store) => store.openStore('${url}')).then((opened) => opened.close()).then(() => console.log('opened'), (error) => console.log(error.message));`;
}

/** Runs a program and returns what it printed. */
export function runProgram(program: string, user: { uid?: number; gid?: number } = {}): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], { ...user, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', () => resolve(output));
  });
}
