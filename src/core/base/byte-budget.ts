/** What one reading holds in memory, until it is closed. */
export interface ByteHold {
  /** @throws BudgetExceededError when all others wait too: one of them has to give up */
  take(bytes: number): Promise<void>;
  close(): void;
}

export interface ByteBudget {
  open(): ByteHold;
}

export class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
}

/**
 * Above the bound a connection is not read from until another answer is done, and the network passes this back-pressure
 * on to the platform.
 *
 * @param oldestContinues the oldest holder never waits, so that none has to give up
 * @example
 * const hold = createByteBudget(1_000_000).open();
 * await hold.take(chunk.length);
 */
export function createByteBudget(maxBytes: number, { oldestContinues = false } = {}): ByteBudget {
  const holders = new Set<ByteHold>();
  let usedBytes = 0;
  const fits = (bytes: number) => usedBytes + bytes <= maxBytes;
  const mayExceed = (hold: ByteHold) => oldestContinues && holders.values().next().value === hold;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  return {
    open: () => {
      let ownBytes = 0;
      const hold: ByteHold = {
        take: async (bytes) => {
          while (!fits(bytes) && !mayExceed(hold)) {
            if (!oldestContinues && waiting.length + 1 >= holders.size) throw new BudgetExceededError();
            await new Promise<void>((resume) => waiting.push(resume));
          }
          usedBytes += bytes;
          ownBytes += bytes;
        },
        close: () => {
          holders.delete(hold);
          usedBytes -= ownBytes;
          ownBytes = 0;
          wake();
        },
      };
      holders.add(hold);
      return hold;
    },
  };
}
