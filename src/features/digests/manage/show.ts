import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import type { Reply } from '../../../core/slack/outbound/reply.ts';
import type { Click, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { chosenSections, namesIn, readContents, readSettings } from '../core/contents.ts';
import { digestMessage } from '../core/digest-messages.ts';
import type { DigestSettings } from '../core/settings.ts';
import { coveredNow } from '../core/coverage.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { placeMarkup } from '../core/describe.ts';
import { mayRead } from '../core/digest-list.ts';
import { personReader, refusalToShow, type DigestReader } from '../core/names.ts';
import { readMemo } from '../core/digest-payload.ts';
import { isAllWithheld } from '../core/sections.ts';
import { buildMessage } from '../deliver/digest.ts';
import { buildDigest } from '../message/digest-message.ts';
import { refused, unknownDigest, type ChangeResult } from './change.ts';

export const NO_FIGURES = refused(markup`There are no figures yet that it could hold.`);

/** Returns the digest with this id if the person may see all its content, otherwise the refusal. */
export async function findVisible(
  deps: DigestDeps,
  id: string,
  person: Person,
): Promise<{ subscription: Subscription } | { refused: ChangeResult }> {
  const subscription = await findSubscription(deps.db, 'digest', id);
  if (!subscription || subscription.state === 'removed' || !mayRead(person, subscription))
    return { refused: unknownDigest(id) };
  const settings = readSettings(subscription);
  const scope = { audience: settings.audience, sections: chosenSections(deps.sections, settings) };
  const refusal = await refusalToShow(deps, person, subscription, scope);
  return refusal === undefined ? { subscription } : { refused: refused(refusal) };
}

/** Plans, sends and stores nothing; the person alone sees it. Returns the refusal, or undefined if it was shown. */
export async function showPreview(
  deps: DigestDeps,
  id: string,
  { person, reply }: Pick<Interaction, 'person'> & { reply: Pick<Reply, 'show' | 'progress'> },
): Promise<ChangeResult | undefined> {
  const lookup = await findVisible(deps, id, person);
  if ('refused' in lookup) return lookup.refused;
  return show(deps, lookup.subscription, { person, reply }, (posting) => previewNote(lookup.subscription, posting));
}

/** The first digest of an organization as its channel would read it, before anything is set up. */
export async function showSample(
  deps: DigestDeps,
  by: Pick<Interaction, 'person'> & { reply: Pick<Reply, 'show' | 'progress'> },
): Promise<ChangeResult | undefined> {
  const settings: DigestSettings = {
    cadence: 'daily',
    audience: { kind: 'organization' },
    sections: undefined,
    send: 'always',
  };
  const sample = { id: 'sample', settings: JSON.stringify(settings), owner: by.person.slackId, channel: 'C' };
  return show(deps, sample, by, () => SAMPLE_NOTE);
}

const SAMPLE_NOTE = markup`*A sample, only you see it.* A daily digest of the organization would look like this today. Nothing is set up or posted.`;

async function show(
  deps: DigestDeps,
  subscription: Pick<Subscription, 'id' | 'settings' | 'owner' | 'channel'>,
  { person, reply }: Pick<Interaction, 'person'> & { reply: Pick<Reply, 'show' | 'progress'> },
  noteOf: (posting: keyof typeof POSTING_NOTES) => Markup,
): Promise<ChangeResult | undefined> {
  const now = deps.clock.now();
  const { cadence } = readSettings(subscription);
  const period = coveredNow(cadence, now);
  if (!period) return NO_FIGURES;
  reply.progress('Reading the figures …');
  const contents = await readContents(deps, subscription, { cadence, period }, previewReader(person, subscription));
  if (contents.kind !== 'read') {
    await reply.show(plainMessage(contents.sentence));
    return undefined;
  }
  const isQuiet = contents.sections.every(({ reading }) => 'isQuiet' in reading && reading.isQuiet);
  const isWithheld = isAllWithheld(contents.sections);
  const posting = isWithheld ? 'nothing' : isQuiet ? 'headline' : 'all';
  const { message } = buildDigest({
    cadence,
    period,
    sections: contents.sections,
    audience: contents.audience,
    dueAt: now,
    sentAt: now,
    waitedFor: undefined,
    corrections: [],
    quietButtonValue: undefined,
    preview: noteOf(posting),
  });
  await reply.show({ ...message, names: namesIn(contents, subscription) });
  return undefined;
}

/** A preview shows a channel’s digest as the channel would read it, and a direct message as the asking person would. */
const previewReader = (person: Person, { channel }: Pick<Subscription, 'channel'>): DigestReader =>
  isPersonAddress(channel) ? personReader(person) : { kind: 'preview', seesPeople: person.seesPeople };

const POSTING_NOTES = {
  all: markup``,
  headline: markup` On a day like this, only the headline is posted.`,
  nothing: markup` It would not be posted, for the reason below.`,
};

function previewNote(
  { id, state, channel, nextDueAt: next }: Subscription,
  posting: keyof typeof POSTING_NOTES,
): Markup {
  const when = state === 'paused' ? markup`paused` : markup`next ${readerTime(new Date(next))}`;
  return markup`*Preview, only you see it.* Digest \`${id}\` to ${placeMarkup(channel)}, ${when}.${POSTING_NOTES[posting]}`;
}

const GONE = 'This digest no longer exists. Type `/usage` for the figures.';

/** Shows the full form of a digest that was posted as one line, to the person who clicked. */
export async function showFullDigest(deps: DigestDeps, { value, channel, person, reply }: Click): Promise<void> {
  const digest = await digestMessage.find(deps.db, value);
  // A key must not open the digest of another channel.
  if (!digest || digest.messageChannel !== channel) return reply.show(plainMessage(GONE));
  const subscription = await findSubscription(deps.db, 'digest', digest.payload.subscriptionId);
  if (!subscription) return reply.show(plainMessage(GONE));
  reply.progress('Reading the digest …');
  const contents = await readContents(deps, subscription, digest.payload, previewReader(person, digest));
  if (contents.kind !== 'read') return reply.show(plainMessage(contents.sentence));
  const memo = readMemo(digest.memo);
  const sentAt = new Date(digest.sentAt ?? digest.dueAt);
  const state = { isQuiet: false, corrections: memo?.corrections ?? [], sentAt, waitedFor: memo?.waitedFor };
  await reply.show({ ...buildMessage(digest, contents, state).message, names: namesIn(contents, subscription) });
}
