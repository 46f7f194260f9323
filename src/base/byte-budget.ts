/** Holds from the first byte of an answer until it is judged. */
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
 * @example
 * const hold = createByteBudget(1_000_000).open();
 * await hold.take(chunk.length);
 */
export function createByteBudget(maxBytes: number): ByteBudget {
  const holders = new Set<ByteHold>();
  let usedBytes = 0;
  const fits = (bytes: number) => usedBytes + bytes <= maxBytes;
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
          while (!fits(bytes)) {
            if (waiting.length + 1 >= holders.size) throw new BudgetExceededError();
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
