import type { Config } from '../../core/base/settings/config.ts';
import { markup, mention, type Markup } from '../../core/base/text/markup.ts';
import { PRICE_EXAMPLE, type Price, formatPrice, isSamePrice, readPrice } from '../../core/base/text/numbers.ts';
import { dayOf, formatDate, isDay, type Day } from '../../core/base/time/calendar.ts';
import { type StoredPrice, listPrices, priceOn, setPrice } from '../../core/figures/money/price-list.ts';
import { FIRST_ANALYTICS_DAY } from '../../core/platform/endpoints/analytics-range.ts';
import type { Services } from '../../core/services.ts';
import { modalAction } from '../../core/slack/interactions/click-actions.ts';
import { button } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, prose, type AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import { modal, sentenceView, type ModalView, type OpenModal } from '../../core/slack/blocks/views.ts';
import { defineForm, textField } from '../../core/slack/interactions/form-fields.ts';
import { formHandler, errorsOf, freshFormReading } from '../../core/slack/interactions/forms.ts';
import type { ClickAction, Form, Interaction } from '../../core/slack/interactions/interactions.ts';

const CHANGE_ACTION = 'status_change_price';
const PRICE_FORM = 'status_price_form';
const TITLE = 'Price of credits';
const MAX_PRICES = 5;

const priceForm = defineForm()({
  price: textField(() => ({ label: 'Price of a million credits', placeholder: PRICE_EXAMPLE, longest: 40 })),
  from: textField(() => ({
    label: 'From which day',
    hint: `A day in UTC, from ${FIRST_ANALYTICS_DAY}. Earlier days keep their price.`,
    placeholder: '2026-12-01',
    longest: 10,
  })),
});

type PriceDeps = Pick<Services, 'db' | 'clock'> & { config: Pick<Config, 'creditPrice'> };

/** For `/quartermaster` of admins, without the prices of earlier days; empty until `CREDIT_PRICE` has given the first. */
export async function priceStatus({ db, clock, config }: PriceDeps): Promise<AnyParagraph[]> {
  const prices = await listPrices(db);
  const today = dayOf(clock.now());
  const current = priceOn(prices, today);
  const [first, ...later] = prices.filter((price) => price === current || price.from > today);
  if (!first) return [];
  return [
    prose([
      markup`*A million credits cost* ${priceLine(first)}`,
      ...differenceLines(current, config.creditPrice),
      ...later.map((price) => markup`•  ${priceLine(price)}`),
    ]),
    buttonRow(button({ text: 'Change the price', actionId: CHANGE_ACTION })),
  ];
}

/** For `/quartermaster details`. */
export async function priceDetails({ db }: Pick<Services, 'db'>): Promise<AnyParagraph[]> {
  const prices = await listPrices(db);
  if (prices.length < 2) return [];
  return [
    prose([
      markup`*A million credits cost:*`,
      ...prices.slice(-MAX_PRICES).map((price) => markup`•  ${priceLine(price)}`),
    ]),
  ];
}

const priceLine = ({ from, by, ...price }: StoredPrice): Markup =>
  markup`${formatPrice(price)} from ${formatDate(from, '')} (${by === null ? markup`the first \`CREDIT_PRICE\`` : mention(by)})`;

function differenceLines(stored: StoredPrice | undefined, setting: Price | undefined): Markup[] {
  if (!stored || !setting || isSamePrice(stored, setting)) return [];
  return [markup`⚠️ That counts, although \`CREDIT_PRICE\` is ${formatPrice(setting)} now.`];
}

export const changePriceAction = ({ db, clock }: Pick<Services, 'db' | 'clock'>): ClickAction =>
  modalAction(CHANGE_ACTION, 'admin', TITLE, async (_click, opened) => {
    const today = dayOf(clock.now());
    const price = priceOn(await listPrices(db), today);
    await opened.show(priceView(price, today));
  });

const priceView = (price: Price | undefined, today: Day): ModalView =>
  modal({
    title: TITLE,
    submit: 'Save',
    callbackId: PRICE_FORM,
    blocks: priceForm.blocks({}, { price: price ? `${price.perMillion} ${price.currency}` : '', from: today }),
  });

export const changePriceForm = (deps: Pick<Services, 'db' | 'clock'>): Form =>
  formHandler(PRICE_FORM, 'admin', (state) => {
    const { price: typed, from } = priceForm.read(state);
    const { price, problem } = readPrice(typed);
    const isFrom = isDay(from) && from >= FIRST_ANALYTICS_DAY;
    const errors = errorsOf([
      [problem, 'price'],
      [!isFrom, 'from', `Type a day from ${FIRST_ANALYTICS_DAY}, such as 2026-12-01.`],
    ]);
    return freshFormReading(errors, 'Saving …', async ({ person }, opened) => {
      if (price && isFrom) await save(deps, { ...price, from }, person, opened);
    });
  });

async function save(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  price: Price & { from: Day },
  { slackId }: Interaction['person'],
  opened: OpenModal,
): Promise<void> {
  await db.transaction().execute((trx) => setPrice(trx, price, slackId, clock.now()));
  const words = `✅ A million credits cost ${formatPrice(price)} from ${formatDate(price.from, '')}. Messages that were sent already stay as they are.`;
  await opened.show(sentenceView(TITLE, words));
}
