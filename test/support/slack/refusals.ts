import type { RequiredRole } from '../../../src/base/roles.ts';
import { roleSentence } from '../../../src/slack/blocks/messages.ts';

type Verb = 'is' | 'are';

/** What somebody without the role is told of something, without what they may do instead. */
export const onlyFor = (role: RequiredRole, what: string, verb: Verb = 'is') =>
  roleSentence(what, role, { verb, instead: '' }).trim();

/** The same of whatever it was. */
export function anyRefusal(role: RequiredRole): RegExp {
  const place = '…';
  const sentences = (['is', 'are'] as const).map((verb) => onlyFor(role, place, verb));
  return new RegExp(sentences.map((one) => RegExp.escape(one).replace(RegExp.escape(place), '.+')).join('|'));
}
