/**
 * Messages and views at the border of what Slack takes: whole ones of the parts that the bot sends, and the same after
 * up to three small changes. This shares no code with the checks that judge them.
 */
import fc from 'fast-check';
import { othersFor, placesIn, smallChange, type Json } from './small-changes.ts';

export type Surface = 'message' | 'modal' | 'home';

export interface Payload {
  surface: Surface;
  /** The blocks of a message, or a view. */
  body: unknown;
}

const word = fc.constantFrom('Usage', 'a', 'Credits & limits', '<b>', '限度', '🦊🦊', 'x'.repeat(20));
const plain = word.map((text) => ({ type: 'plain_text', text }));
const mrkdwn = fc.record(
  { type: fc.constant('mrkdwn'), text: word, verbatim: fc.boolean() },
  { requiredKeys: ['type', 'text'] },
);
const anyText = fc.oneof(plain, mrkdwn);
const emojiText = plain.map((text) => ({ ...text, emoji: true }));

/** Members that may be missing. */
const maybe = <Value>(members: Record<string, fc.Arbitrary<Value>>) => fc.record(members, { requiredKeys: [] });
const join = (...parts: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<Json> =>
  fc.tuple(...parts).map((some) => Object.assign({}, ...some));
const always = (members: Json) => fc.constant(members);

const fresh = (prefix: string) => fc.noBias(fc.nat()).map((id) => `${prefix}_${id}`);
const actionId = maybe({ action_id: fresh('action') });
const blockId = maybe({ block_id: fresh('block') });

const option = join(fc.record({ text: plain, value: fresh('value') }), maybe({ description: plain }));
const options = fc.array(option, { minLength: 1, maxLength: 4 });
const withChoices = (initial: 'initial_option' | 'initial_options') =>
  fc.tuple(options, fc.nat(3), fc.boolean()).map(([offered, index, isChosen]): Json => {
    const chosen = offered[index];
    if (!isChosen || !chosen) return { options: offered };
    return { options: offered, [initial]: initial === 'initial_option' ? chosen : [chosen] };
  });
const confirmation = join(
  fc.record({ title: plain, text: anyText, confirm: plain, deny: plain }),
  maybe({ style: fc.constantFrom('primary', 'danger') }),
);

const button = join(
  fc.record({ type: fc.constant('button'), text: fc.oneof(plain, emojiText) }),
  actionId,
  maybe<unknown>({ value: fc.string(), style: fc.constantFrom('primary', 'danger'), confirm: confirmation }),
);
const placeholder = maybe({ placeholder: plain });
const typeOf = (type: string) => always({ type });
const select = join(typeOf('static_select'), actionId, placeholder, withChoices('initial_option'));
const inputs = [
  select,
  join(typeOf('multi_static_select'), actionId, placeholder, withChoices('initial_options')),
  join(typeOf('checkboxes'), actionId, withChoices('initial_options')),
  join(typeOf('radio_buttons'), actionId, withChoices('initial_option')),
  join(
    typeOf('conversations_select'),
    actionId,
    placeholder,
    maybe<unknown>({
      initial_conversation: fc.constant('C0USAGE'),
      response_url_enabled: fc.boolean(),
      filter: join(
        fc.record({ include: fc.subarray(['im', 'mpim', 'private', 'public'], { minLength: 1 }) }),
        maybe({ exclude_bot_users: fc.boolean(), exclude_external_shared_channels: fc.boolean() }),
      ),
    }),
  ),
  join(typeOf('multi_users_select'), actionId, maybe({ initial_users: fc.constant(['U0ADA', 'U0MIA']) })),
  join(
    typeOf('timepicker'),
    actionId,
    placeholder,
    maybe({ initial_time: fc.constantFrom('00:00', '09:30', '23:59') }),
  ),
  join(
    typeOf('plain_text_input'),
    actionId,
    placeholder,
    maybe<unknown>({
      initial_value: word,
      multiline: fc.boolean(),
      min_length: fc.constantFrom(0, 1, 3_000),
      max_length: fc.constantFrom(1, 100, 3_000),
    }),
  ),
] as const;
const instant = join(
  typeOf('datetimepicker'),
  actionId,
  maybe({ initial_date_time: fc.constantFrom(1_000_000_000, 1_775_000_000) }),
);
const file = join(
  typeOf('file_input'),
  actionId,
  maybe<unknown>({ filetypes: fc.constant(['csv']), max_files: fc.constantFrom(1, 10) }),
);

const rawCell = fc.oneof(
  word.map((text) => ({ type: 'raw_text', text })),
  fc.integer().map((value) => ({ type: 'raw_number', value, text: String(value) })),
);
const tableOf = (columns: number) =>
  join(
    fc.record({
      type: fc.constant('data_table'),
      caption: word,
      rows: fc.array(fc.array(rawCell, { minLength: columns, maxLength: columns }), { minLength: 2, maxLength: 5 }),
    }),
    maybe({ page_size: fc.constantFrom(1, 5, 100) }),
  );
const chartOf = (type: string, lines: number, points: number) => {
  const days = Array.from({ length: points }, (_, point) => `day ${point}`);
  return fc.array(fc.integer(), { minLength: points * lines, maxLength: points * lines }).map((values): Json => ({
    type: 'data_visualization',
    title: 'Credits',
    chart: {
      type,
      series: Array.from({ length: lines }, (_, line) => ({
        name: `line ${line}`,
        data: days.map((label, point) => ({ label, value: values[line * points + point] })),
      })),
      axis_config: { categories: days, x_label: 'Day', y_label: 'Credits' },
    },
  }));
};
const few = fc.integer({ min: 1, max: 4 });
const dataTable = few.chain(tableOf);
const chart = fc
  .tuple(fc.constantFrom('bar', 'area', 'line'), few, few)
  .chain(([type, lines, points]) => chartOf(type, lines, points));
const richText = fc
  .array(
    fc.record({
      type: fc.constantFrom('rich_text_section', 'rich_text_preformatted'),
      elements: fc.array(
        word.map((text) => ({ type: 'text', text })),
        { minLength: 1, maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((elements) => ({ type: 'rich_text', elements }));
const inputOf = (element: fc.Arbitrary<Json>) =>
  join(
    fc.record({ type: fc.constant('input'), label: plain, element }),
    maybe<unknown>({ hint: plain, optional: fc.boolean() }),
  );
const input = join(inputOf(fc.oneof(...inputs)), maybe({ dispatch_action: fc.boolean() }));

const blockKinds: readonly fc.Arbitrary<Json>[] = [
  join(
    typeOf('section'),
    fc.oneof(
      anyText.map((text): Json => ({ text })),
      fc.array(anyText, { minLength: 1, maxLength: 10 }).map((fields): Json => ({ fields })),
    ),
    maybe({ accessory: button }),
  ),
  fc.record({ type: fc.constant('context'), elements: fc.array(anyText, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    type: fc.constant('actions'),
    elements: fc.array(fc.oneof(button, select), { minLength: 1, maxLength: 4 }),
  }),
  fc.constant({ type: 'divider' }),
  fc.record({ type: fc.constant('header'), text: plain }),
  input,
  richText,
];
const kindsFor: Record<Surface, readonly fc.Arbitrary<Json>[]> = {
  message: [...blockKinds, inputOf(instant), dataTable, chart],
  modal: [...blockKinds, inputOf(instant), inputOf(file)],
  home: [...blockKinds, dataTable],
};
/** A message has at most two charts. */
const withTwoCharts = (blocks: readonly Json[]) => {
  const third = blocks.filter(({ type }) => type === 'data_visualization')[2];
  return third ? blocks.slice(0, blocks.indexOf(third)) : blocks;
};
const blocksOf = (...surfaces: readonly Surface[]) => {
  const block = join(fc.oneof(...surfaces.flatMap((surface) => kindsFor[surface])), blockId);
  return fc.array(block, { minLength: 1, maxLength: 4 }).map(withTwoCharts);
};
const viewMembers = maybe({ private_metadata: word, callback_id: word, external_id: word });
const modal = join(
  fc.record({
    type: fc.constant('modal'),
    title: fc.constant({ type: 'plain_text', text: 'Limits' }),
    blocks: blocksOf('modal'),
  }),
  fc.record({ submit: fc.constant({ type: 'plain_text', text: 'Send' }) }),
  viewMembers,
  maybe<unknown>({
    close: fc.constant({ type: 'plain_text', text: 'Close' }),
    clear_on_close: fc.boolean(),
    notify_on_close: fc.boolean(),
  }),
);
const home = join(fc.record({ type: fc.constant('home'), blocks: blocksOf('home') }), viewMembers);

const sections = (lengths: readonly number[]) =>
  lengths.map((length) => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } }));
const lengthNear = (length: number) => fc.integer({ min: length - 2, max: length + 2 });

/** Payloads at the limits of the whole. */
const largest: fc.Arbitrary<Payload> = fc.oneof(
  // 13,200 characters of text in a message.
  fc.tuple(lengthNear(1_200), fc.constantFrom('xxxxx', '&amp;', '&')).map(([rest, five]): Payload => {
    const blocks = sections([3_000, 3_000, 3_000, 3_000, rest]);
    return { surface: 'message', body: JSON.parse(JSON.stringify(blocks).replaceAll('xxxxx', five)) };
  }),
  fc.tuple(lengthNear(1_000), lengthNear(100)).map(([rest, title]): Payload => ({
    surface: 'message',
    body: [
      { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(title) } },
      ...sections([3_000, 3_000, 3_000, 3_000, rest]),
    ],
  })),
  // 250 KB of a view: each section needs 63 bytes besides its text, the view itself a few.
  fc
    .tuple(fc.constantFrom<Surface>('modal', 'home'), fc.integer({ min: 2_480, max: 2_520 }))
    .map(([surface, length]): Payload => {
      const title = { type: 'plain_text', text: 'a' };
      const frame = surface === 'modal' ? { type: 'modal', title } : { type: 'home' };
      return { surface, body: { ...frame, blocks: sections(Array.from({ length: 100 }, () => length)) } };
    }),
  // 20 columns of a table, 20 points and 12 lines of a chart.
  fc
    .constantFrom(0, 1, 19, 20, 21)
    .chain((columns) => tableOf(columns).map((table): Payload => ({ surface: 'message', body: [table] }))),
  fc
    .tuple(fc.constantFrom(0, 1, 11, 12, 13), fc.constantFrom(0, 1, 19, 20, 21))
    .chain(([lines, points]) => chartOf('line', lines, points))
    .map((one): Payload => ({ surface: 'message', body: [one] })),
  // 20,000 characters in the tables of a message.
  fc.tuple(lengthNear(9_998), lengthNear(9_998)).map(([one, other]): Payload => {
    const cell = (text: string) => ({ type: 'raw_text', text });
    const table = (length: number) => ({
      type: 'data_table',
      caption: 'a',
      rows: [[cell('a')], [cell('x'.repeat(length))]],
    });
    return { surface: 'message', body: [table(one), table(other)] };
  }),
);

const view =
  (surface: 'modal' | 'home') =>
  (body: Json): Payload => ({ surface, body });

/** What Slack takes. */
export const valid: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 4, arbitrary: blocksOf('message').map((body): Payload => ({ surface: 'message', body })) },
  { weight: 4, arbitrary: modal.map(view('modal')) },
  { weight: 2, arbitrary: home.map(view('home')) },
);

const anyBlocks = blocksOf('message', 'modal', 'home');
const misplaced = fc.oneof(
  anyBlocks.map((body): Payload => ({ surface: 'message', body })),
  fc.tuple(modal, anyBlocks).map(([frame, blocks]) => view('modal')({ ...frame, blocks })),
  fc.tuple(home, anyBlocks).map(([frame, blocks]) => view('home')({ ...frame, blocks })),
);

/** As it is sent: JSON has no undefined. */
const sent = (surface: Surface, { body }: Json): Payload => ({
  surface,
  body: JSON.parse(JSON.stringify(body ?? null)),
});

/** At the border of what Slack takes. */
export const payload: fc.Arbitrary<Payload> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: valid }, { weight: 1, arbitrary: misplaced }, { weight: 1, arbitrary: largest }),
    fc.array(smallChange, { maxLength: 3 }),
  )
  .map(([{ surface, body }, changes]) => {
    const root: Json = structuredClone({ body });
    for (const change of changes) change(root);
    return sent(surface, root);
  });

/** A block is the same in a message and in a view. */
const placeKind = (kind: string) => kind.replace(/^\.body(?::(?:modal|home)\.blocks)?\[\]/, '');

/** Returns what Slack takes with one place changed: each change, in each kind of place. */
export function everySmallChange(): (() => Payload)[] {
  const changed = new Set<string>();
  const samples = fc
    .sample(valid, { numRuns: 3_000, seed: 1 })
    .map((one) => ({ ...one, size: JSON.stringify(one).length }));
  return samples
    .toSorted((one, other) => one.size - other.size)
    .flatMap(({ surface, body }) => {
      const places = Map.groupBy(placesIn({ body }), ({ kind }) => placeKind(kind));
      return [...places].flatMap(([kind, [first]]) => {
        if (!first || changed.has(kind)) return [];
        changed.add(kind);
        return othersFor(first).map((_, index) => () => {
          const root = structuredClone({ body });
          const place = placesIn(root).find((one) => placeKind(one.kind) === kind);
          if (place) place.put(othersFor(place)[index]?.());
          return sent(surface, root);
        });
      });
    });
}
