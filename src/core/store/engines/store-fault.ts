const storeFaults = new WeakSet<object>();

/** Marks an error and returns it unchanged, because its code carries more information. */
export function asStoreFault(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) storeFaults.add(error);
  return error;
}

const DEEPEST_CAUSE = 5;

/** A fault of the store says nothing about the platform or Slack. @example if (isStoreFault(error)) throw error; */
export function isStoreFault(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST_CAUSE) return false;
  return storeFaults.has(error) || ('cause' in error && isStoreFault(error.cause, depth + 1));
}
