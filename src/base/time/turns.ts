const waiting: (() => void)[] = [];

function wakeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

/**
 * Gives the event loop a turn in the middle of long work. In each turn only one waiter continues: with a bare
 * `setImmediate` all would, and a dozen answers parsed at once would delay acknowledgements twelve times as long.
 *
 * @example for (const part of parts) { decode(part); await nextTurn(); }
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    // Immediates run right after network input, but timers and newer input only after those: hence two.
    if (waiting.length === 1) setImmediate(() => setImmediate(wakeNext));
  });
}

/** Gives other work a turn before the first item and after each `itemsATurn`. @example await inTurns(people, 500) */
export async function inTurns<Item>(items: Iterable<Item>, itemsATurn: number): Promise<Item[]> {
  const collected: Item[] = [];
  await nextTurn();
  for (const item of items) {
    collected.push(item);
    if (collected.length % itemsATurn === 0) await nextTurn();
  }
  return collected;
}

/**
 * Makes one promise for all calls of a turn of the event loop: a burst of fifty clicks then waits for one timer.
 *
 * @example
 * const pause = oncePerTurn(() => delay(10));
 * await pause();
 */
export function oncePerTurn<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => {
    if (current) return current;
    // Before `make`, so that an immediate of its own resolves when the next call already makes a new promise.
    setImmediate(() => (current = undefined));
    current = make();
    return current;
  };
}
