import { scheduleIn } from '../../../core/schedule/subscriptions.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { channelMention, markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { labelOf } from './audience.ts';
import { readSettings } from './contents.ts';
import { coveredWords } from './covered-words.ts';
import { describeSchedule, nameOf } from './settings.ts';

export const SETTINGS_SUBSCRIPTION = 'settings';

export interface Summary {
  name: string;
  /** Such as `every day at 09:00 (UTC)`. */
  rhythm: string;
  audience: string;
}

export function summaryOf(subscription: Pick<Subscription, 'settings' | 'schedule'>): Summary {
  const { cadence, audience, send } = readSettings(subscription);
  const rhythm = describeSchedule(cadence, scheduleIn(subscription));
  return {
    name: nameOf(cadence).toLowerCase(),
    rhythm: send === 'when_needed' ? `${rhythm}, when something needs attention` : rhythm,
    audience: labelOf(audience),
  };
}

/** @example titleWords(subscription) // 'The daily digest k7m2 of @web-team' */
export function titleWords(
  subscription: Pick<Subscription, 'id' | 'settings' | 'schedule'>,
  article: 'The' | 'the' = 'The',
): string {
  const { name, audience } = summaryOf(subscription);
  const which = subscription.id === SETTINGS_SUBSCRIPTION ? 'of the settings' : `${subscription.id} of ${audience}`;
  return `${article} ${name} ${which}`;
}

export const aboutDigest = (id: string) => `digest:${id}`;

/** @example coverageWords(subscription) // 'Monday’s digest covers Fri to Sun (UTC days)' */
export function coverageWords(subscription: Pick<Subscription, 'settings' | 'schedule' | 'nextDueAt'>): string {
  const { cadence } = readSettings(subscription);
  return capital(coveredWords(cadence, scheduleIn(subscription), new Date(subscription.nextDueAt)));
}

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The destination of a digest. Slack shows the name of a private channel to its members only. */
export function placeMarkup(channel: string): Markup {
  if (/^[UW][A-Z0-9]+$/.test(channel)) return markup`${mention(channel)} (direct message)`;
  return /^[CGD][A-Z0-9]+$/.test(channel) ? channelMention(channel) : markup`a channel`;
}

/** The person who may change it besides the admins. */
export const ownerMarkup = (owner: string | null): Markup => (owner === null ? markup`the settings` : mention(owner));
