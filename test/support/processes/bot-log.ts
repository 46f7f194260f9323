/** What a bot has logged so far, and who waits for something in it. */
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
    untilLogged: (text: string) =>
      new Promise<void>((resolve) => {
        const read = () => {
          if (!logged.includes(text)) return;
          readers.delete(read);
          resolve();
        };
        readers.add(read);
        read();
      }),
  };
}
