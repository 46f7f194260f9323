/**
 * The value that `share` of the values do not exceed (nearest rank).
 *
 * @example percentile([1, 2, 3, 4], 0.5) // 2
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** @example median([1, 2, 3, 10]) // 2.5 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** With one decimal. @example percentOf(1, 3) // 33.3 */
export function percentOf(part: number, whole: number): number {
  return Math.round((1_000 * part) / whole) / 10;
}
