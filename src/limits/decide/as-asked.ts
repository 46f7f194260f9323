import type { Click } from '../../slack/interactions.ts';
import type { FreshPerson } from '../../slack/people/people.ts';
import type { LimitDeps } from '../core/deps.ts';
import { readCardFacts } from '../card/facts.ts';
import { isPlain } from '../card/quick-approval.ts';
import { forbiddance, moveRequest, type MoveResult } from './decide.ts';

/** Approves what was asked, unless there is something by now that deserves a look. */
export async function approveAsAsked(
  deps: LimitDeps,
  { value: id, person }: Pick<Click<FreshPerson>, 'value' | 'person'>,
): Promise<MoveResult | { kind: 'needs_a_look' }> {
  const sentence = forbiddance(person);
  if (sentence !== undefined) return { kind: 'forbidden', sentence };
  const facts = await readCardFacts(deps, id, person);
  if (facts?.request.state === 'pending' && !isPlain(facts)) return { kind: 'needs_a_look' };
  return moveRequest(deps, id, person, {
    kind: 'approve',
    comment: '',
    lowered: new Map(),
    leftOut: new Set(),
    returns: new Map(),
    highestReturn: undefined,
  });
}
