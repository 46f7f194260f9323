import { createHash } from 'node:crypto';
import { shownOfText, textOfShown } from '../../../core/platform/capabilities/shown-limit.ts';
import { EVERYBODY, emailsOf, limitsOf } from './ledger.ts';
import { readLimitForEverybody } from './own-limit-removal.ts';
import type { LimitDeps } from './limits-deps.ts';
import { shownBefore } from './person-text.ts';

/** The same limit has the same text, whenever it was shown. */
export const withoutTime = (text: string): string => (text === '' ? '' : textOfShown(shownOfText(text)));

interface SeenLimits {
  /** What the platform shows, by e-mail; empty if it shows no limits. */
  texts: ReadonlyMap<string, string>;
  /** Identifies all of them; undefined if it shows none. */
  seen: string | undefined;
}

/** Reads what the platform shows of the limits of these people, for a decision about them. */
export async function readSeenLimits(
  { db, capabilities }: Pick<LimitDeps, 'db' | 'capabilities'>,
  people: readonly { email: string; removes?: number | null }[],
  maxAgeMs: number,
): Promise<SeenLimits> {
  await capabilities.readLimits(maxAgeMs);
  const emails = emailsOf(people).toSorted();
  const known = await limitsOf(db, emails);
  const texts = new Map(
    emails.flatMap((email) => {
      const text = shownBefore(known(email));
      return text === undefined ? [] : [[email, text] as const];
    }),
  );
  if (texts.size === 0) return { texts, seen: undefined };
  const hash = createHash('sha256');
  for (const [email, text] of texts) hash.update(`${email} ${withoutTime(text)}\n`);
  // After a removal, the limit for everybody is the one in force.
  if (people.some(({ removes }) => removes === 1)) hash.update(`${EVERYBODY} ${await readLimitForEverybody(db)}\n`);
  return { texts, seen: hash.digest('base64url') };
}
