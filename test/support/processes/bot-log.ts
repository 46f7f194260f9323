import { inTime } from '../waiting.ts';

/** The log of a bot, and the tests that wait for a line in it. */
export function createBotLog() {
  let logged = '';
  const readers = new Set<() => void>();
  return {
    add: (text: string) => {
      logged += text;
      for (const read of readers) read();
    },
    logged: () => logged,
    /** Resolves when the log holds this text. */
    untilLogged: (text: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const read = () => {
        if (!logged.includes(text)) return;
        readers.delete(read);
        resolve();
      };
      readers.add(read);
      read();
      return inTime(promise, () => `“${text}” in the log, which ends with:\n${logged.slice(-1_000)}`);
    },
  };
}
