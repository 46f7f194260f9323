import { markup } from '../../base/text/markup.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import type { Person } from '../../slack/people/people.ts';
import { chosenSections, readSettings } from '../core/contents.ts';
import type { DigestDeps } from '../core/deps.ts';
import { mayRead } from '../core/list.ts';
import { refusalToShow } from '../core/names.ts';
import { unknownDigest, type ChangeResult } from './change.ts';

export const NO_FIGURES: ChangeResult = {
  kind: 'refused',
  sentence: markup`There are no figures yet that it could hold.`,
};

/** The digest of an id, as long as somebody may see all that it shows; else what they are told instead. */
export async function findShown(
  deps: DigestDeps,
  id: string,
  person: Person,
): Promise<{ subscription: Subscription } | { refused: ChangeResult }> {
  const subscription = await findSubscription(deps.db, 'digest', id);
  if (!subscription || subscription.state === 'removed' || !mayRead(person, subscription)) {
    return { refused: unknownDigest(id) };
  }
  const settings = readSettings(subscription);
  const scope = { audience: settings.audience, sections: chosenSections(deps.sections(), settings) };
  const refusal = await refusalToShow(deps, person, subscription, scope);
  return refusal === undefined ? { subscription } : { refused: { kind: 'refused', sentence: markup`${refusal}` } };
}
