/** What one answer holds of the budget, from its first byte until it has been judged. */
export interface ByteHold {
  /**
   * Waits until so many bytes more fit.
   *
   * @throws BudgetExceededError when all others wait too: somebody has to let go
   */
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
 * Bounds the bytes that all answers under way hold together. Past the bound a connection is simply not read from until
 * another answer is done, which the network passes on to the platform.
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
