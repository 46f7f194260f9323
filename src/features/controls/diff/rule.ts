import type { MemberChange } from './member-changes.ts';

/** The effect of a change on the organization's protection, as far as names reveal it. */
export interface Verdict {
  /** `weaker`, `stronger`: less or more is protected; `noted`: people have to judge; `relevant`: the name shows only that it protects. */
  kind: 'weaker' | 'stronger' | 'noted' | 'relevant';
  reason: string;
}

export interface Rule {
  /** A test of a member's path with dots, in which ids of items are `*`. */
  member: NameTest;
  when: (memberChange: MemberChange) => boolean;
  kind: Exclude<Verdict['kind'], 'stronger'>;
  reason: string;
  /** For `weaker`: why the opposite change makes the protection stronger. */
  opposite?: string;
}

export type NameTest = (path: string) => boolean;

export const named =
  (shape: RegExp): NameTest =>
  (path) =>
    shape.test(path);
