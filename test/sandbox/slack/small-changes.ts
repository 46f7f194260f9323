/** Small changes of a message or view, which know nothing of Slack's rules except its numbers. */
import fc from 'fast-check';

export type Json = Record<string, unknown>;

/** The greatest lengths of Slack's reference, each also one beyond. */
const LENGTHS = [0, 1, 20, 24, 30, 50, 75, 100, 150, 255, 300, 2_000, 3_000].flatMap((most) => [most, most + 1]);
const COUNTS = [0, 1, 2, 10, 12, 20, 25, 50, 100, 201].flatMap((most) => [most, most + 1]);
const NUMBERS = [-1, 0, 1, 1.5, 10, 11, 100, 101, 3_000, 3_001].concat([1e9 - 1, 1e9, 1e10 - 1, 1e10]);

/** Parts of Slack, many of which the bot does not send, and parts of nobody. */
const PARTS: readonly unknown[] = [
  { type: 'image', alt_text: 'a', image_url: 'https://example.com/a.png' },
  { type: 'overflow', options: [{ text: { type: 'plain_text', text: 'a' }, value: 'a' }] },
  { type: 'number_input', is_decimal_allowed: false },
  { type: 'users_select' },
  { type: 'datepicker', initial_date: '2026-11-01' },
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] }] },
  { type: 'markdown', text: '# a' },
  { type: 'mrkdwn', text: 'a' },
  { type: 'plain_text', text: 'a' },
  { type: 'poem', text: 'a' },
  { type: 7 },
];
const VALUES: readonly unknown[] = ['', 'text', '24:00', 0, true, null, [], [''], {}, ...PARTS];

/** Members of some part, which most others do not have. */
const MEMBERS: readonly Json[] = [
  { colour: 'red' },
  { url: 'https://example.com' },
  { emoji: true },
  { verbatim: false },
  { style: 'primary' },
  { block_id: 'same' },
  { action_id: 'same' },
  { focus_on_load: true },
  { confirm: { text: { type: 'plain_text', text: 'Sure?' } } },
  { placeholder: { type: 'plain_text', text: 'Choose' } },
  { max_selected_items: 0 },
  { dispatch_action: true },
  { accessory: { type: 'image', alt_text: 'a', image_url: 'https://example.com/a.png' } },
  { submit: { type: 'plain_text', text: 'Send' } },
  { type: 'divider' },
];

export interface Place {
  value: unknown;
  /** The names and types on the way to it, without positions in lists. */
  kind: string;
  /** JSON has no undefined, which so removes a member. */
  put: (value: unknown) => void;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

const typeOf = (value: unknown): string => (isObject(value) && typeof value['type'] === 'string' ? value['type'] : '');

export function placesIn(value: unknown, kind = ''): Place[] {
  if (isList(value)) {
    return value.flatMap((item, index) => {
      const inside = `${kind}[]:${typeOf(item)}`;
      return [
        { value: item, kind: inside, put: (other: unknown) => (value[index] = other) },
        ...placesIn(item, inside),
      ];
    });
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inside = `${kind}.${name}${isObject(member) ? `:${typeOf(member)}` : ''}`;
    return [
      { value: member, kind: inside, put: (other: unknown) => (value[name] = other) },
      ...placesIn(member, inside),
    ];
  });
}

/** Repeats the items of a list, with ids and names of their own unless `isSame`. */
function resize(items: readonly unknown[], count: number, isSame: boolean): unknown[] {
  return Array.from({ length: count }, (_, index) => {
    const copy = structuredClone([items[index % Math.max(1, items.length)] ?? null]);
    if (isSame || index < items.length) return copy[0];
    for (const { kind, value, put } of placesIn(copy)) {
      if (/\.(?:block_id|action_id|name)$/.test(kind) && typeof value === 'string') put(`${value} ${index}`);
    }
    return copy[0];
  });
}

/** Returns what may stand in a place instead, each made on demand; undefined stands for nothing. */
export function othersFor({ value, kind }: Place): (() => unknown)[] {
  const anything = [undefined, ...VALUES].map((other) => () => structuredClone(other));
  if (typeof value === 'string' && !kind.endsWith('.type'))
    return [...anything, ...LENGTHS.map((length) => () => 'x'.repeat(length))];
  if (typeof value === 'number') return [...anything, ...NUMBERS.map((number) => () => number)];
  if (isObject(value)) return [...anything, ...MEMBERS.map((member) => () => Object.assign({}, value, member))];
  if (!isList(value)) return anything;
  return [...anything, ...COUNTS.flatMap((count) => [true, false].map((isSame) => () => resize(value, count, isSame)))];
}

/** Chooses among the kinds of places, so that the cells of a table count no more than one button. */
function choose(places: readonly Place[], pick: number): Place | undefined {
  const kinds = Object.values(Object.groupBy(places, ({ kind }) => kind));
  const kind = kinds[pick % Math.max(1, kinds.length)] ?? [];
  return kind[Math.floor(pick / 1_000) % Math.max(1, kind.length)];
}

const pick = fc.nat(1_000_000);

export const smallChange: fc.Arbitrary<(root: Json) => void> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(pick, pick).map(([chosen, other]) => (root: Json) => {
      const place = choose(placesIn(root), chosen);
      if (!place) return;
      const others = othersFor(place);
      place.put(others[other % others.length]?.());
    }),
  },
  // One object in the place of another.
  {
    weight: 1,
    arbitrary: fc.tuple(pick, pick).map(([from, to]) => (root: Json) => {
      const objects = placesIn(root).filter(({ value }) => isObject(value));
      choose(objects, to)?.put(structuredClone(choose(objects, from)?.value));
    }),
  },
);
