import type { LimitsInForce } from '../endpoints/shown-limits.ts';

/** What the platform shows of the limit of a person. */
export type ShownLimit =
  | { kind: 'own'; value: number }
  /** They have no limit of their own. */
  | { kind: 'everybody'; value: number }
  | { kind: 'unlimited' }
  /** There are several entries for the person, or one that cannot be read. */
  | { kind: 'unclear' };

export function shownIn({ everybody, own }: LimitsInForce, email: string): ShownLimit {
  if (own.has(email)) {
    const value = own.get(email);
    return value === undefined ? { kind: 'unclear' } : { kind: 'own', value };
  }
  return everybody === null ? { kind: 'unlimited' } : { kind: 'everybody', value: everybody };
}

/** The limit in effect; infinite if there is none, and undefined if it is not clear. */
export function effectiveLimit(shown: ShownLimit): number | undefined {
  switch (shown.kind) {
    case 'own':
    case 'everybody':
      return shown.value;
    case 'unlimited':
      return Infinity;
    case 'unclear':
      return undefined;
    default:
      return shown satisfies never;
  }
}

/** The text that is stored. Two limits are the same if their texts are. @example 'own 5000000' */
export const textOfShown = (shown: ShownLimit): string =>
  'value' in shown ? `${shown.kind} ${shown.value}` : shown.kind;

export function shownOfText(text: string): ShownLimit {
  const [kind, value] = text.split(' ');
  switch (kind) {
    case 'own':
    case 'everybody':
      return { kind, value: Number(value) };
    case 'unlimited':
      return { kind };
    case undefined:
    default:
      return { kind: 'unclear' };
  }
}
