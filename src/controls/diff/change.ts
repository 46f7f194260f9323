import type { Json } from '../../platform/redaction/json.ts';

/** Names of members, from the outside in; an item of a list stands by its id. */
export type Path = readonly string[];

/** One thing that is other than before. Each difference is in exactly one of them. */
export type Change =
  | { kind: 'added'; path: Path; after: Json }
  | { kind: 'removed'; path: Path; before: Json }
  | { kind: 'changed'; path: Path; before: Json; after: Json }
  /** `left`: how many entries there are now. */
  | { kind: 'list'; path: Path; added: readonly Json[]; removed: readonly Json[]; left: number }
  /** The same entries in another order. */
  | { kind: 'reordered'; path: Path }
  /** The same value under another name or in another place. */
  | { kind: 'moved'; path: Path; from: Path; value: Json };
