import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { sendAgain } from '../../../core/outbox/past-deliveries.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import {
  findSubscription,
  pauseSubscription,
  postponeSubscription,
  removeSubscription,
  resumeSubscription,
  scheduleIn,
} from '../../../core/schedule/subscriptions.ts';
import type { OwnerDenial, Refusal, RoleDenial } from '../../../core/slack/blocks/messages.ts';
import { markup, type Markup, readerTime } from '../../../core/base/text/markup.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { nextOccurrence } from '../../../core/schedule/occurrences.ts';
import { mayChange, mayRead } from '../core/digest-list.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { digestMessage } from '../core/digest-messages.ts';
import type { Change } from '../digest-command.ts';
import { ownerMarkup, placeMarkup, SETTINGS_SUBSCRIPTION, summaryOf } from '../core/describe.ts';

export type ChangeResult = { kind: 'done' | 'unknown'; sentence: Markup } | { kind: 'refused'; sentence: Refusal };

type ByPerson = Pick<Interaction, 'person'>;

export const refused = (sentence: Refusal): ChangeResult => ({ kind: 'refused', sentence });

/** Pauses, resumes or removes a digest; `until`: the local day on which a paused one comes again. Of two users at once, the slower one learns who was faster. */
export async function changeDigest(
  deps: DigestDeps,
  change: Change,
  id: string,
  by: ByPerson,
  until?: Day,
): Promise<ChangeResult> {
  const { subscription, refusal } = await findChangeable(deps, change, id, by);
  if (!subscription) return refusal;
  const sentence = await apply(deps, change, subscription, by.person.slackId, until);
  return sentence ? { kind: 'done', sentence } : refused(await alreadyInStateSentence(deps, id));
}

type Lookup = { subscription: Subscription; refusal?: undefined } | { subscription?: undefined; refusal: ChangeResult };

async function findChangeable(
  { db }: DigestDeps,
  change: Change | undefined,
  id: string,
  { person }: ByPerson,
): Promise<Lookup> {
  const subscription = await findSubscription(db, 'digest', id);
  if (!subscription || !mayRead(person, subscription)) return { refusal: unknownDigest(id) };
  if (!mayChange(person, subscription)) return { refusal: refused(notTheirs(subscription)) };
  const isKept = change === 'remove' && id === SETTINGS_SUBSCRIPTION;
  return isKept ? { refusal: refused(NOT_REMOVABLE) } : { subscription };
}

/** For a confirmation: a digest that the person may remove, or why not. */
export async function findRemovable(deps: DigestDeps, id: string, by: ByPerson): Promise<Lookup> {
  const lookup = await findChangeable(deps, 'remove', id, by);
  if (lookup.subscription?.state !== 'removed') return lookup;
  return { refusal: refused(await alreadyInStateSentence(deps, id)) };
}

export const unknownDigest = (id: string): ChangeResult => ({
  kind: 'unknown',
  sentence: markup`There is no digest \`${id}\`.`,
});

const NOT_REMOVABLE = markup`This digest comes from the server settings. The server operator ends it by removing DIGEST_CHANNEL; until then you can pause it.`;
export const NOT_EDITABLE = markup`This digest comes from the server settings. The server operator changes it there, with DIGEST_CHANNEL, DIGEST_AT and TIMEZONE. For other days, times or sections, set up a digest with \`/digest new\`.`;

export function notTheirs({ owner, id }: Subscription): RoleDenial | OwnerDenial {
  return owner === null
    ? { what: 'Changing the digest of the server settings', role: 'admin' }
    : {
        owner: markup`${ownerMarkup(owner)}, who set up the digest \`${id}\``,
        action: markup`change it`,
        role: 'admin',
      };
}

/** @returns a sentence about the change; undefined if another user was faster */
async function apply(
  { db, clock }: DigestDeps,
  change: Change,
  subscription: Subscription,
  by: string,
  until: Day | undefined,
): Promise<Markup | undefined> {
  const now = clock.now();
  const what = markup`the ${summaryOf(subscription).name} \`${subscription.id}\` to ${placeMarkup(subscription.channel)}`;
  switch (change) {
    case 'pause': {
      if (until !== undefined) {
        const next = await postponeSubscription(db, subscription, until, by, now);
        return (
          next &&
          markup`⏸️ You paused ${what}. The next one comes ${readerTime(next)}; \`/digest resume ${subscription.id}\` ends the pause before.`
        );
      }
      const isDone = await pauseSubscription(db, subscription.id, by, null, now);
      return isDone ? markup`⏸️ You paused ${what}. Nothing is sent until it is resumed.` : undefined;
    }
    case 'resume': {
      const next =
        (await resumeSubscription(db, subscription, by, now)) ?? (await endPostponement(db, subscription, by, now));
      return next && markup`✅ You resumed ${what}. The next one comes ${readerTime(next)}.`;
    }
    case 'remove':
      return (await removeSubscription(db, subscription.id, by, now)) ? markup`You deleted ${what}.` : undefined;
    default:
      return change satisfies never;
  }
}

/** @returns when it comes next; undefined if nothing was left out */
async function endPostponement(
  db: DigestDeps['db'],
  subscription: Subscription,
  by: string,
  now: Date,
): Promise<Date | undefined> {
  const isPostponed = new Date(subscription.nextDueAt) > nextOccurrence(scheduleIn(subscription), now).at;
  return isPostponed ? postponeSubscription(db, subscription, undefined, by, now) : undefined;
}

const STATE_WORDS = { active: 'active', paused: 'paused', removed: 'deleted' } as const;

async function alreadyInStateSentence({ db }: DigestDeps, id: string): Promise<Markup> {
  const subscription = await findSubscription(db, 'digest', id);
  const state = STATE_WORDS[subscription?.state ?? 'removed'];
  const by = subscription?.changedBy ?? null;
  const who = by === null ? markup`` : markup` (by ${ownerMarkup(by)})`;
  return markup`The digest \`${id}\` is already ${state}${who}.`;
}

export async function sendDigestAgain(deps: DigestDeps, key: string, by: ByPerson): Promise<ChangeResult> {
  const digest = await digestMessage.find(deps.db, key);
  if (!digest) return { kind: 'unknown', sentence: markup`This digest no longer exists.` };
  const { refusal } = await findChangeable(deps, undefined, digest.payload.subscriptionId, by);
  if (refusal) return refusal;
  const why = `${by.person.name} had it sent again`;
  const now = deps.clock.now();
  const isFirst = await deps.db.transaction().execute((trx) => sendAgain(trx, key, now, why));
  if (!isFirst) return refused(markup`This one is already on its way, or didn’t fail. See \`/digest why\`.`);
  return { kind: 'done', sentence: markup`It’s on its way to ${placeMarkup(digest.channel)} again.` };
}
