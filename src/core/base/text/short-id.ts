/** Letters and digits that are hard to confuse when read aloud or typed on a phone. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** @param random from 0 to below 1 @example makeShortId(Math.random, 5) // 'k7m2x' */
export function makeShortId(random: () => number, length: number): string {
  return Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'a').join('');
}

const MAX_TRIES = 20;

/**
 * @param take reserves an id; undefined if the id is taken
 * @throws Error if none of 20 ids was free: there are too many things for ids of this length
 * @example const id = await takeShortId(random, 5, (id) => insertRequest(trx, { ...request, id }))
 */
export async function takeShortId<Taken>(
  random: () => number,
  length: number,
  take: (id: string) => Promise<Taken | undefined>,
): Promise<Taken> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const reserved = await take(makeShortId(random, length));
    if (reserved !== undefined) return reserved;
  }
  throw new Error('No free id was found');
}
