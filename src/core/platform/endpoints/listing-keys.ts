/** The keys of one listing. */
export interface ListingKeys extends Disposable {
  /** @returns `true` the first time, `false` ever after */
  isNew(key: string): boolean;
}

const BITS = 8;
const FIRST_BYTES = 64;

/**
 * Remembers the keys of listings that run side by side and name mostly the same items, such as the people of a dozen
 * days: each key once, and a bit for each listing. They are forgotten when no listing is under way.
 *
 * @example
 * using keys = sharedKeys.open();
 * if (keys.isNew(row.user_id)) take(row);
 */
export function createSharedKeys(): { open(): ListingKeys } {
  const places = new Map<string, number>();
  let underWay = 0;
  const placeOf = (key: string) => {
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  };
  return {
    open: () => {
      let seen = new Uint8Array(FIRST_BYTES);
      underWay += 1;
      return {
        isNew: (key) => {
          const place = placeOf(key);
          const index = Math.floor(place / BITS);
          if (index >= seen.length) {
            const larger = new Uint8Array(2 * (index + 1));
            larger.set(seen);
            seen = larger;
          }
          const before = seen[index] ?? 0;
          seen[index] = before | (1 << (place % BITS));
          return seen[index] !== before;
        },
        [Symbol.dispose]: () => {
          underWay -= 1;
          if (underWay === 0) places.clear();
        },
      };
    },
  };
}
