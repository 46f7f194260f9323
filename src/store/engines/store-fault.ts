const storeFaults = new WeakSet<object>();

/** Marks what the database's own driver threw, and gives it back. The error itself stays as it is: its code tells more. */
export function asStoreFault(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) storeFaults.add(error);
  return error;
}

const DEEPEST_CAUSE = 5;

/**
 * Whether a fault is one of the store: it says nothing about the platform or Slack, and passes by itself or never.
 *
 * @example if (isStoreFault(error)) throw error;
 */
export function isStoreFault(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return false;
  return storeFaults.has(error) || ('cause' in error && isStoreFault(error.cause, depth + 1));
}
