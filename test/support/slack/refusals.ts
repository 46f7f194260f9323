import type { RequiredRole } from '../../../src/core/base/roles.ts';
import { roleSentence } from '../../../src/core/slack/blocks/messages.ts';

type Verb = 'is' | 'are';

/** The beginning of a refusal for lack of a role: the required role, and an admin to ask. */
export const onlyFor = (role: RequiredRole, what: string, verb: Verb = 'is') =>
  `${roleSentence({ what, role, verb })}${role === 'nobody' ? '' : ' Ask <@'}`;

/** The same for any command. */
export function anyRefusal(role: RequiredRole): RegExp {
  const place = '…';
  const sentences = (['is', 'are'] as const).map((verb) => onlyFor(role, place, verb));
  return new RegExp(sentences.map((one) => RegExp.escape(one).replace(RegExp.escape(place), '.+')).join('|'));
}
