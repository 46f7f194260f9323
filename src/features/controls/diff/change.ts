import type { Json } from '../../../core/platform/redaction/json.ts';

/** Names of members, outermost first; an item of a list is named by its id. */
export type Path = readonly string[];

/** One difference. Each difference is in exactly one change. */
export type Change =
  | { kind: 'added'; path: Path; after: Json }
  | { kind: 'removed'; path: Path; before: Json }
  | { kind: 'changed'; path: Path; before: Json; after: Json }
  | { kind: 'list'; path: Path; added: readonly Json[]; removed: readonly Json[]; sizeAfter: number }
  /** The same entries in another order. */
  | { kind: 'reordered'; path: Path }
  /** The same value under another name or in another place. */
  | { kind: 'moved'; path: Path; from: Path; value: Json };
