import type { RequiredRole } from '../../../src/base/roles.ts';
import { roleSentence } from '../../../src/slack/blocks/messages.ts';

type Verb = 'is' | 'are';

/** How a refusal for lack of a role begins: for whom it is, and that an admin to ask is named. */
export const onlyFor = (role: RequiredRole, what: string, verb: Verb = 'is') =>
  `${roleSentence({ what, role, verb })}${role === 'nobody' ? '' : ' Ask <@'}`;

/** The same of whatever it was. */
export function anyRefusal(role: RequiredRole): RegExp {
  const place = '…';
  const sentences = (['is', 'are'] as const).map((verb) => onlyFor(role, place, verb));
  return new RegExp(sentences.map((one) => RegExp.escape(one).replace(RegExp.escape(place), '.+')).join('|'));
}
