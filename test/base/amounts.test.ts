import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_RULE, formatAmount, readAmount } from '../../src/base/text/amounts.ts';
import { readPrice, splitPrice } from '../../src/base/text/money.ts';
import { formatCompact } from '../../src/base/text/numbers.ts';

const RULE = { problem: AMOUNT_RULE };
const both = (one: string, other: string) => ({
  problem: expect.stringContaining(`could mean ${one} or ${other}.`) as string,
});

/** Written by hand: what each text means to the people who type it. */
const READINGS: readonly (readonly [text: string, reading: number | ReturnType<typeof both>])[] = [
  ['0', 0],
  ['5000', 5_000],
  ['007', 7],
  ['5,000', 5_000],
  ['5,000,000', 5_000_000],
  ['5.000.000', 5_000_000],
  ['1,250', 1_250],
  ['1.250', both('1,250', '1.25')],
  ['5.000', both('5,000', '5')],
  ['500.000', both('500,000', '500')],
  ['1.255', both('1,255', '1.255')],
  ['0.500', 0.5],
  ['0,500', 0.5],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['12.50', 12.5],
  ['1250.000', 1_250],
  ['12.345', both('12,345', '12.345')],
  ['12.3456', RULE],
  ['1234.567', RULE],
  ['1,250.5', 1_250.5],
  ['1.250,5', 1_250.5],
  ['1,250,000.25', 1_250_000.25],
  ['1.250.000,25', 1_250_000.25],
  ['1.250,000', both('1,250,000', '1,250')],
  ['1,250.000', both('1,250,000', '1,250')],
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
  ['1,250m', both('1,250,000,000', '1,250,000')],
  ['1,500k', both('1,500,000', '1,500')],
  ['1.250.000k', 1_250_000_000],
  ['1,250,000k', 1_250_000_000],
  ['1 250k', 1_250_000],
  ['1b', 1_000_000_000],
  ['2 bn', 2_000_000_000],
  ['5 million', 5_000_000],
  ['5 mio', 5_000_000],
  ['7 thousand', 7_000],
  ['5,000,000 credits', 5_000_000],
  ['5 M credits', 5_000_000],
  ['5m credit', 5_000_000],
  ['1,000,000,000,000', 1_000_000_000_000],
  ['9999999999999', RULE],
  ['', RULE],
  ['-1', RULE],
  ['−5m', RULE],
  ['+5m', RULE],
  ['~5m', RULE],
  ['$500', RULE],
  ['50%', RULE],
  ['1e5', RULE],
  ['0x10', RULE],
  ['5mm', RULE],
  ['5 m m', RULE],
  ['m', RULE],
  ['credits', RULE],
  ['5.', RULE],
  ['5,', RULE],
  ['1..5', RULE],
  ['1.2.3', RULE],
  ['1,2,3', RULE],
  ['12 34', RULE],
  ['1234,567,890', RULE],
  ['0,500,000', RULE],
  ['00.5', RULE],
  ['5²', RULE],
  ['½m', RULE],
  ['٥٠٠٠', RULE],
  ['many', RULE],
  ['Infinity', RULE],
  ['__proto__', RULE],
  [`5${' '.repeat(40)}000`, RULE],
];

describe('an amount', () => {
  test.each(READINGS)('“%s” means one number, or is refused', (text, reading) => {
    expect(readAmount(text)).toEqual(typeof reading === 'number' ? { amount: reading } : reading);
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
    const unit = fc.constantFrom(['', 1], ['k', 1_000], [' M', 1_000_000]) as fc.Arbitrary<[string, number]>;
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
          const { amount, problem } = readAmount(text);
          const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9 }).format(meant);
          // The only two guesses: every number of the bot has groups by comma, and nobody groups before a letter by a point.
          fc.pre(meant <= 1e12 && !/^\d{1,3}(?:,\d{3}|\.\d{3} ?[kM])$/.test(text));
          if (amount === undefined) expect(problem).toMatch(new RegExp(`(mean|or) ${shown}[ .]`));
          else expect(amount).toBe(meant);
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
