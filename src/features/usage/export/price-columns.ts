import type { Column } from '../../../core/base/text/columns.ts';
import type { CsvCell } from '../../../core/base/text/csv.ts';
import type { Price } from '../../../core/base/text/numbers.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import type { PriceList } from '../../../core/figures/money/price-list.ts';

/** At the end of each line, so that the other columns keep their places. */
export const PRICE_TITLES = ['price_per_million', 'currency'] as const;

/** Empty without a price. */
export const priceCells = (price: Price | undefined): [perMillion: string, currency: string] => [
  price?.perMillion ?? '',
  price?.currency ?? '',
];

export function priceColumns<Row extends { date: Day }>(prices: PriceList): Column<Row, CsvCell>[] {
  if (prices.isEmpty) return [];
  return PRICE_TITLES.map((title, index) => ({ title, cell: (row) => priceCells(prices.on(row.date))[index] ?? '' }));
}
