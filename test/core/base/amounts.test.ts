import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_RULE, formatAmount, readAmount } from '../../../src/core/base/text/amounts.ts';
import { formatCompact, readPrice, splitPrice } from '../../../src/core/base/text/numbers.ts';

/** Written by hand: what each text means to the people who type it. */
const READINGS: readonly (readonly [text: string, reading: number | readonly [string, string] | undefined])[] = [
  ['0', 0],
  ['5000', 5_000],
  ['007', 7],
  ['5,000', 5_000],
  ['5,000,000', 5_000_000],
  ['5.000.000', 5_000_000],
  ['1,250', 1_250],
  ['1.250', ['1,250', '1.25']],
  ['5.000', ['5,000', '5']],
  ['500.000', ['500,000', '500']],
  ['1.255', ['1,255', '1.255']],
  ['0.500', 0.5],
  ['0,500', 0.5],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['12.50', 12.5],
  ['1250.000', 1_250],
  ['12.345', ['12,345', '12.345']],
  ['12.3456', undefined],
  ['1234.567', undefined],
  ['1,250.5', 1_250.5],
  ['1.250,5', 1_250.5],
  ['1,250,000.25', 1_250_000.25],
  ['1.250.000,25', 1_250_000.25],
  ['1.250,000', ['1,250,000', '1,250']],
  ['1,250.000', ['1,250,000', '1,250']],
  ['12,50,000', 1_250_000],
  ['5 000 000', 5_000_000],
  ['5\u00a0000\u00a0000', 5_000_000],
  ['5\u202f000\u202f000', 5_000_000],
  ['5\u2009000\u2009000', 5_000_000],
  ['5\u2007000\u3000000', 5_000_000],
  ['5\u200b000\ufeff', 5_000],
  ['  5\t000 ', 5_000],
  ['1 250,50', 1_250.5],
  ["1'000'000", 1_000_000],
  ['1’000’000', 1_000_000],
  ['1_000_000', 1_000_000],
  ['5k', 5_000],
  ['5K', 5_000],
  ['5m', 5_000_000],
  ['5 M', 5_000_000],
  ['5\u202fM', 5_000_000],
  ['2.5m', 2_500_000],
  ['2,5m', 2_500_000],
  ['.5m', 500_000],
  ['1.250m', 1_250_000],
  ['0.500m', 500_000],
  ['2.500k', 2_500],
  ['1.2345m', 1_234_500],
  ['1,250m', ['1,250,000,000', '1,250,000']],
  ['1,500k', ['1,500,000', '1,500']],
  ['1.250.000k', 1_250_000_000],
  ['1,250,000k', 1_250_000_000],
  ['1 250k', 1_250_000],
  ['1b', 1_000_000_000],
  ['2 bn', 2_000_000_000],
  ['5 million', 5_000_000],
  ['five million', 5_000_000],
  ['Two k', 2_000],
  ['5 mio', 5_000_000],
  ['7 thousand', 7_000],
  ['5,000,000 credits', 5_000_000],
  ['5 M credits', 5_000_000],
  ['5m credit', 5_000_000],
  ['1,000,000,000,000', 1_000_000_000_000],
  ['9999999999999', undefined],
  ['', undefined],
  ['-1', undefined],
  ['−5m', undefined],
  ['+5m', undefined],
  ['~5m', undefined],
  ['$500', undefined],
  ['50%', undefined],
  ['1e5', undefined],
  ['0x10', undefined],
  ['5mm', undefined],
  ['5 m m', undefined],
  ['m', undefined],
  ['credits', undefined],
  ['5.', undefined],
  ['5,', undefined],
  ['1..5', undefined],
  ['1.2.3', undefined],
  ['1,2,3', undefined],
  ['12 34', undefined],
  ['1234,567,890', undefined],
  ['0,500,000', undefined],
  ['00.5', undefined],
  ['5²', undefined],
  ['½m', undefined],
  ['٥٠٠٠', undefined],
  ['many', undefined],
  ['Infinity', undefined],
  ['__proto__', undefined],
  [`5${' '.repeat(40)}000`, undefined],
];

function meaningOf(text: string): number | readonly string[] | undefined {
  const { amount, problem } = readAmount(text);
  if (problem === undefined) return amount;
  const [, one = '', other = ''] = /could mean (\S+) or (\S+)\. /.exec(problem) ?? [];
  return problem === AMOUNT_RULE ? undefined : [one, other];
}

describe('an amount', () => {
  test.each(READINGS)('“%s” means one number, or is refused', (text, reading) => {
    expect(meaningOf(text)).toEqual(reading);
  });

  test('of two meanings says how to type each', () => {
    expect(readAmount('1.250').problem).toBe('“1.250” could mean 1,250 or 1.25. Type 1,250 or 1.25.');
    expect(readAmount('1,250m').problem).toBe(
      '“1,250m” could mean 1,250,000,000 or 1,250,000. Type 1,250,000,000 or 1,250,000.',
    );
    expect(readAmount('1.255').problem).toBe('“1.255” could mean 1,255 or 1.255. Type 1,255, or at most two decimals.');
  });

  test('is read back as every text of the bot shows it', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (cents) => {
        expect(readAmount(formatAmount(cents / 100))).toEqual({ amount: cents / 100 });
      }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.constantFrom(1_000, 10_000, 1_000_000, 100_000_000),
        (n, unit) => {
          expect(readAmount(formatCompact(n * unit))).toEqual({ amount: n * unit });
        },
      ),
    );
  });

  test('is the number that it was written as, or refused with that number, in the way of any country', () => {
    const whole = fc.oneof(fc.nat(999), fc.nat(999_999), fc.nat(999_999_999));
    const signs = fc.constantFrom(
      [',', '.'],
      ['.', ','],
      [' ', ','],
      ['\u202f', ','],
      ["'", '.'],
      ['', '.'],
      ['', ','],
    );
    const unit = fc.constantFrom(['', 1] as const, ['k', 1_000] as const, [' M', 1_000_000] as const);
    fc.assert(
      fc.property(
        whole,
        fc.nat(99),
        fc.nat(3),
        signs,
        unit,
        (integer, hundredths, places, [group = '', point = ''], [letter, factor]) => {
          const decimals = String(hundredths).padStart(2, '0').padEnd(places, '0').slice(0, places);
          const groups = String(integer).replaceAll(/\B(?=(\d{3})+$)/g, group);
          const text = `${groups}${places === 0 ? '' : point + decimals}${letter}`;
          const meant = Math.round((integer + Number(`0.${decimals}0`)) * factor * 100) / 100;
          const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9 }).format(meant);
          // The only two guesses: a comma separates groups as in all texts of the bot, a point before a letter never does.
          fc.pre(meant <= 1e12 && !/^\d{1,3}(?:,\d{3}|\.\d{3} ?[kM])$/.test(text));
          const meaning = meaningOf(text);
          expect(typeof meaning === 'object' && meaning.includes(shown) ? meant : meaning).toBe(meant);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a price', () => {
  test.each([
    ['4.205 USD', '4.205'],
    ['1.250,50 EUR', '1250.50'],
    ['1 250 EUR', '1250'],
    ['$1,250.50', '1250.50'],
  ])('“%s” has one meaning', (text, perMillion) => expect(readPrice(text).price?.perMillion).toBe(perMillion));

  test.each(['4,205 USD', 'EUR 1,250'])('“%s” is refused with both meanings', (text) => {
    const { price, problem = '' } = readPrice(text);
    expect(price).toBeUndefined();
    const advice = /Type (?<one>\S+) or (?<other>\S+)\.$/.exec(problem)?.groups ?? {};
    for (const typed of Object.values(advice)) expect(splitPrice(`${typed} USD`).price).toBeDefined();
  });

  test('that is longer than any price is not cut to one', () => {
    expect(splitPrice(`4.20 USD${' '.repeat(40)}9`).price).toBeUndefined();
  });
});
