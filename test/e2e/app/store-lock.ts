import { spawn } from 'node:child_process';
import { once } from 'node:events';

const HOLD = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 5_000 });
  database.exec('begin immediate');
  console.log('locked');
  setTimeout(() => database.exec('commit'), Number(process.argv[2]));
`;

/**
 * Another process takes the write lock of an SQLite store and holds it for a while.
 * @returns a promise that resolves when it is released
 */
export async function lockStore(path: string, holdMs: number): Promise<{ released: Promise<void> }> {
  const child = spawn(process.execPath, ['-e', HOLD, path, String(holdMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const released = (async () => {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The process that held the lock ended with ${code}`);
  })();
  await once(child.stdout, 'data');
  return { released };
}
