/** A requested amount, and the person’s use in the long period of the evidence. */
export interface AmountAndUse {
  email: string;
  amount: number;
  used: number;
}

export interface Outlier extends AmountAndUse {
  kind: 'below_use' | 'far_above';
}

/** An amount above this multiple of the list’s median is an outlier. */
const FAR_ABOVE = 10;
/** With fewer amounts, a median says nothing. */
const FEWEST_FOR_A_MIDDLE = 5;

/** Returns amounts that are 0 or below use, lowest share first; then amounts far above the others, highest first. */
export function outliersOf(people: readonly AmountAndUse[]): Outlier[] {
  const below = people.filter(({ amount, used }) => amount === 0 || amount < used);
  const middle = people.map(({ amount }) => amount).toSorted((a, b) => a - b)[Math.floor(people.length / 2)] ?? 0;
  const far = people.filter(
    ({ amount, used }) =>
      people.length >= FEWEST_FOR_A_MIDDLE && amount > 0 && amount >= used && amount > FAR_ABOVE * middle,
  );
  return [
    ...below.toSorted((a, b) => shareOf(a) - shareOf(b)).map((one): Outlier => ({ ...one, kind: 'below_use' })),
    ...far.toSorted((a, b) => b.amount - a.amount).map((one): Outlier => ({ ...one, kind: 'far_above' })),
  ];
}

const shareOf = ({ amount, used }: AmountAndUse) => (used === 0 ? 0 : amount / used);
