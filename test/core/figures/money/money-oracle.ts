/**
 * Money by schoolbook arithmetic, without any code of the program: a price is `cents` with its own number of decimals,
 * credits are hundredths, and an amount of money is a fraction.
 */
export interface OraclePrice {
  from: string;
  /** The digits of the price, such as 420 for 4.20. */
  digits: number;
  decimals: number;
  currency: string;
}

const DECIMALS_OF: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
const SYMBOL_OF: Record<string, string> = { USD: '$', EUR: '€', JPY: '¥', KWD: 'KWD\u{A0}' };

export const priceText = ({ digits, decimals }: OraclePrice): string => {
  const text = String(digits).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

const power = (exponent: number) => 10n ** BigInt(exponent);
const COMMON = 20;

/** In 10^-20 of the currency; undefined if there is no price on a day, or if there are two currencies. */
export function moneyOf(
  prices: readonly OraclePrice[],
  days: readonly { day: string; hundredths: number }[],
): { amount: bigint; currency: string } | undefined {
  let amount = 0n;
  const currencies = new Set<string>();
  for (const { day, hundredths } of days) {
    let price: OraclePrice | undefined;
    for (const one of prices) if (one.from <= day && (price === undefined || one.from > price.from)) price = one;
    if (price === undefined) return undefined;
    currencies.add(price.currency);
    // Hundredths of credits, and a million credits for one price: eight digits.
    amount += BigInt(hundredths) * BigInt(price.digits) * power(COMMON - 8 - price.decimals);
  }
  const [currency] = currencies;
  return currency === undefined || currencies.size > 1 ? undefined : { amount, currency };
}

/** How many decimals a total is shown with: those of its currency below ten, and none from ten up. */
export const shownDecimals = ({ amount, currency }: { amount: bigint; currency: string }): number =>
  amount < 10n * power(COMMON) ? (DECIMALS_OF[currency] ?? 0) : 0;

/** Rounds half up to steps of the last shown decimal. */
export const inSteps = (amount: bigint, decimals: number): bigint => {
  const step = power(COMMON - decimals);
  const rest = amount % step;
  return amount / step + (rest * 2n >= step ? 1n : 0n);
};

export const written = (steps: bigint, decimals: number, currency: string): string => {
  const digits = String(steps).padStart(decimals + 1, '0');
  const whole = (decimals === 0 ? digits : digits.slice(0, -decimals)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${SYMBOL_OF[currency]}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
};

/** The steps in a shown amount; zero for less than one. */
export function stepsIn(text: string): bigint {
  return text.startsWith('<') ? 0n : BigInt(text.replaceAll(/\D/g, ''));
}
