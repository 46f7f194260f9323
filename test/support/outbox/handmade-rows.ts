import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';

const CHANNEL = 'C0USAGE';
const REASON = 'The channel is archived.';

const keyOf = (kind: string) => `handmade:${kind}`;
export const MORNING_KEY = keyOf('hook-morning');

interface Handmade {
  to: string;
  payload: unknown;
  about?: string;
  slot?: string;
}

/** Messages of the kinds that no short conversation causes, about objects of an existing conversation. */
export function handmadeRows(sent: readonly Delivery[], waitsSince: string): Delivery[] {
  const [template] = sent;
  if (!template) throw new Error('Nothing was sent');
  return Object.entries({
    ...subscriptions(sent),
    ...requests(sent, waitsSince),
    ...notices(sent),
    ...controls(sent),
  }).map(([kind, { to, payload, about, slot }]) => ({
    ...template,
    key: keyOf(kind),
    kind,
    channel: to,
    payload: JSON.stringify(payload),
    about: about ?? '',
    slot: slot ?? null,
    memo: null,
  }));
}

const LINE = { after: '2026-04-13T09:00:00.000Z', until: '2026-04-14T09:00:00.000Z' };

/** The newest message of a kind that fits. */
function newest(sent: readonly Delivery[], kind: string, fits: (row: Delivery) => boolean = () => true): Delivery {
  const row = sent.findLast((one) => one.kind === kind && fits(one));
  if (!row) throw new Error(`No message of kind ${kind} was sent`);
  return row;
}

const isToChannel = ({ channel }: Delivery) => channel === CHANNEL;

function subscriptions(sent: readonly Delivery[]): Record<string, Handmade> {
  const budget = newest(sent, 'budget', isToChannel);
  const correction = newest(sent, 'budget-correction', isToChannel);
  const withheld = { ...JSON.parse(budget.payload), withheldFrom: CHANNEL };
  const watch = newest(sent, 'usage-watch-message', isToChannel).key;
  const ofBudget = { to: 'U0MAX', about: budget.about ?? '' };
  const corrected = { ...ofBudget, payload: JSON.parse(correction.payload) };
  const restated = { about: 'the organization', day: '2026-04-14', amount: 195_704, before: 166_998_322 };
  const readiness = {
    key: 'git.acme.example/acme/web',
    label: 'acme/web',
    move: 'rose',
    words: '90% ready: 8 of 10 criteria pass',
    change: 'up 15 points',
    day: 'Thu 2 Apr 2026',
    better: ['readme'],
    worse: [],
  };
  return {
    'budget-owner': { ...ofBudget, payload: withheld },
    'budget-owner-correction': corrected,
    'budget-owner-correction-note': corrected,
    'model-retires': {
      to: 'U0MIA',
      payload: { model: 'atlas-large', retiresOn: '2026-05-01', lastUsedOn: '2026-04-13' },
    },
    'usage-watch-edit': { to: CHANNEL, payload: { messageKey: watch } },
    'usage-watch-note': { to: CHANNEL, payload: { messageKey: watch, ...restated } },
    'readiness-notice': { to: CHANNEL, payload: readiness },
    'readiness-edit': { to: CHANNEL, payload: { ...readiness, noticeKey: watch } },
  };
}

const CHANGES = {
  id: 'k7m2x',
  at: '2026-04-14T12:00:00.000Z',
  changes: [{ email: 'mia.member@acme.example', before: 'own 5000000', now: 'everybody 20000000' }],
};

function requests(sent: readonly Delivery[], since: string): Record<string, Handmade> {
  const card = newest(sent, 'limit-card');
  const about = card.about ?? '';
  const requestId = about;
  const returning = newest(sent, 'limit-told').about ?? '';
  const orderId = sent.find(({ kind }) => kind === 'computer-card')?.about ?? '';
  const agent = newest(sent, 'hook-card', ({ channel }) => channel === 'U0MIA').about ?? '';
  return {
    'limit-card-copies': { to: 'admins', payload: { requestId }, about },
    'limit-card-outcome-notice': { to: CHANNEL, payload: { requestId, cardKey: card.key }, about },
    'limit-reminder': { to: CHANNEL, payload: { requestId, cardKey: card.key, hours: 24 }, about },
    'limit-reminder-notice': { to: 'U0ADA', payload: { requestId }, slot: 'admins' },
    'limit-reminder-admin-notice': { to: 'admins', payload: { requestId } },
    'limit-return-soon': { to: 'U0MIA', payload: { requestId: returning }, about: returning },
    'limit-changes': { to: CHANNEL, payload: CHANGES },
    'limit-changes-copies': { to: 'admins', payload: CHANGES },
    'limit-policy-line': { to: CHANNEL, payload: LINE },
    'limit-policy-line-copies': { to: 'admins', payload: LINE },
    'computer-notice': { to: 'U0MIA', payload: { orderId, notice: 'asked' }, about: orderId },
    'hook-again': { to: 'U0MIA', payload: { id: agent, since }, about: agent },
    'hook-morning': { to: 'U0MIA', payload: { until: '2026-04-15T12:00:00.000Z' } },
  };
}

function notices(sent: readonly Delivery[]): Record<string, Handmade> {
  const pause = { channel: 'C0PLATFORM', subjects: [''], reason: REASON };
  const { about: budgetId } = newest(sent, 'budget', isToChannel);
  const { subscriptionId } = JSON.parse(newest(sent, 'digest', isToChannel).payload);
  const loss = { what: 'Messages about unusual days', person: 'U0NORA', reason: 'role', neededRole: 'manager' };
  const payloads = {
    'usage-watch': pause,
    'readiness-watch': pause,
    'controls-watch': pause,
    budget: { title: 'Monthly budget of @web-team', budgetId, reason: REASON },
    digest: { kind: 'failed', subscriptionId, reason: REASON },
    'delivery-failed': { what: 'The card of a request', to: CHANNEL, reason: REASON },
    'reader-lost': loss,
    'usage-teams': { by: 'U0MAX' },
    welcome: {},
    'platform-key': { state: 'refused', since: '2026-04-14T12:00:00.000Z' },
    'user-groups': { state: 'refused', since: '2026-04-14T12:00:00.000Z', codes: ['missing_scope'] },
    'controls-history': { state: 'refused', since: '2026-04-14T12:00:00.000Z', detail: REASON },
    'figures-unreadable': { state: 'refused', since: '2026-04-14T12:00:00.000Z', detail: REASON },
    'readiness-reports': { state: 'accepted', since: '2026-04-14T12:00:00.000Z' },
    'shown-limits': { state: 'refused', since: '2026-04-14T12:00:00.000Z', detail: REASON },
    'readiness-unread': { since: '2026-04-14T12:00:00.000Z', channels: ['C0PLATFORM'], detail: REASON },
    'limit-policy': { event: 'paused', reason: 'grants_a_day', by: null, names: ['Small raises'] },
    erasure: { id: 'k7m2x', event: 'begun', by: 'U0ADA', agreedBy: 'U0GRACE' },
  };
  const pairs = Object.entries(payloads).flatMap(([name, payload]): [string, Handmade][] => [
    [`${name}-notice`, { to: 'U0ADA', payload, slot: 'admins' }],
    [`${name}-admin-notice`, { to: 'admins', payload }],
  ]);
  const farewell = { to: 'U0NORA', payload: { ...loss, owner: null } };
  const welcome = { to: 'C0GENERAL', payload: { invitedTo: 'C0GENERAL' } };
  return { ...Object.fromEntries(pairs), 'reader-lost-farewell': farewell, 'welcome-channel-notice': welcome };
}

function controls(sent: readonly Delivery[]): Record<string, Handmade> {
  const { key: mainKey } = newest(sent, 'controls-notice');
  return {
    'controls-thread': { to: CHANNEL, payload: { mainKey, revisions: [12], part: 0 } },
    'controls-growth': { to: CHANNEL, payload: { mainKey, revisions: [12] } },
    'controls-acknowledgement': { to: CHANNEL, payload: { mainKey } },
    'controls-aftermath': { to: CHANNEL, payload: { mainKey, revision: 12 } },
  };
}
