import { afterEach, expect, test } from 'vitest';
import { meanOf } from '../../../src/core/base/statistics.ts';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import { type LongLife, startLongLife } from './long-life.ts';

const FIRST_DAY = '2026-03-02';
const DAYS = 60;
/** Until then, code is compiled and the days of a month are kept, which do not become more. */
const WARM_UP_DAYS = 20;
const MOST_MB_A_DAY = 0.05;

let life: LongLife;
afterEach(() => life.stop());

/** The slope of the line with the smallest squares, in units a place. */
function slopeOf(values: readonly number[]): number {
  const [middle, mean] = [(values.length - 1) / 2, meanOf(values)];
  const [over, under] = values.reduce(
    ([one, other], value, place) => [one + (place - middle) * (value - mean), other + (place - middle) ** 2],
    [0, 0],
  );
  return over / under;
}

test(
  'two months of digests and questions leave nothing behind in memory',
  async () => {
    life = await startLongLife(FIRST_DAY);
    const heapMb: number[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      await life.liveThrough(plusDays(FIRST_DAY, day));
      if (day >= WARM_UP_DAYS) heapMb.push(await life.bot.collect());
    }
    const slope = slopeOf(heapMb);
    const seen = `heap ${heapMb.map((mb) => mb.toFixed(1)).join(' ')} MB; ${slope.toFixed(3)} MB a day`;
    expect({ seen, isSteady: slope <= MOST_MB_A_DAY }).toEqual({ seen, isSteady: true });
  },
  DAYS * 10_000,
);
