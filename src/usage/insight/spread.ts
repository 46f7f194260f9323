/**
 * The value below which a part of the values lies, between two of them by proportion.
 *
 * @example quantile([10, 20, 30, 40], 0.5) // 25
 * @throws RangeError without values
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) throw new RangeError('There is no quantile of nothing');
  return low + (high - low) * (place - Math.floor(place));
}

/** @example median([1, 2, 9]) // 2 */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** How far values usually lie from their median: the median of the distances, which one wild value cannot move. */
export function medianDistance(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}
