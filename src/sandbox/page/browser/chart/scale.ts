export interface Scale {
  lowest: number;
  highest: number;
  ticks: { value: number; label: string }[];
}

/** An axis of ordinary numbers cannot show larger values, and no count comes near them. */
const LARGEST = 1e18;
const SMALLEST_RANGE = 1e-9;

/**
 * Returns a value axis between two round numbers. It always includes zero: bars and areas are lengths, and a line that starts
 * elsewhere exaggerates small changes.
 *
 * @example niceScale([3, 97]).ticks.map(({ label }) => label) // ['0', '20', '40', '60', '80', '100']
 */
export function niceScale(values: readonly number[], wantedTicks = 5): Scale {
  const drawable = values.filter((value) => Math.abs(value) <= LARGEST);
  const least = Math.min(0, ...drawable);
  const highest = Math.max(0, ...drawable);
  // With zeros alone, the axis ends at one.
  const most = highest - least > SMALLEST_RANGE ? highest : least + 1;
  const step = roundStep((most - least) / wantedTicks);
  const isLarge = Math.max(most, -least) > 10_000;
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    // Multiplies whole numbers, so that no 0.30000000000000004 appears.
    const value = Number(((first + index) * step).toPrecision(12));
    return { value, label: isLarge ? compactLabel(value) : tickLabel(value, step) };
  });
  return { lowest: ticks.at(0)?.value ?? 0, highest: ticks.at(-1)?.value ?? 1, ticks };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * 0.999_999) ?? 10;
  return factor * power;
}

const compactLabel = (value: number) =>
  value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 2 });

function tickLabel(value: number, step: number): string {
  const decimals = Math.min(Math.max(0, Math.ceil(-Math.log10(step)) + (step < 1 ? 1 : 0)), 8);
  return value.toLocaleString('en-US', { maximumFractionDigits: step % 1 === 0 ? 0 : Math.max(decimals, 1) });
}

/** Returns the position of a value on an axis from `from` (lowest) to `to` (highest). */
export function positionOf(value: number, scale: Scale, from: number, to: number): number {
  const share = (value - scale.lowest) / (scale.highest - scale.lowest);
  return from + Math.min(Math.max(share, 0), 1) * (to - from);
}
