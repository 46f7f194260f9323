const waiting: (() => void)[] = [];

function wakeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

/**
 * Lets the event loop have a turn, in the middle of work that takes long. Of all who wait, one goes on in each turn: with a
 * bare `setImmediate` all of them would go on in the same one, and a dozen answers that are parsed at once would hold
 * acknowledgements up twelve times as long as one.
 *
 * @example for (const part of parts) { decode(part); await nextTurn(); }
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    // What came from the network is followed by immediates at once: only after those come timers and what has arrived since.
    if (waiting.length === 1) setImmediate(() => setImmediate(wakeNext));
  });
}

/**
 * Collects what is worked out item by item, and lets others have their turn before the first and after each `itemsATurn`.
 *
 * @example const people = await inTurns(fold.people(), 500); // of a generator
 */
export async function inTurns<Item>(items: Iterable<Item>, itemsATurn: number): Promise<Item[]> {
  const found: Item[] = [];
  await nextTurn();
  for (const item of items) {
    found.push(item);
    if (found.length % itemsATurn === 0) await nextTurn();
  }
  return found;
}
