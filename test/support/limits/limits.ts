import { withLimits, type LimitDatabase } from '../../../src/features/limits/core/limit-tables.ts';
import type { FormValues, MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { RequestState } from '../../../src/features/limits/core/states.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { readDatabase } from '../stores/databases.ts';
import { delivered, deliveriesThere, until } from '../digests.ts';
import { letTimePass, whileTimePasses } from '../scene-clock.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../slack/modals.ts';
import type { TestApp } from '../test-app.ts';
import { eventually } from '../waiting.ts';

/** The scene of a test of limits: the whole app, or a sandbox whose bots are killed. */
export type LimitScene = Pick<TestApp, 'clock' | 'slack' | 'platform' | 'databaseUrl'>;

/** The values that a user types into the form of `/limits request`. */
export interface AskChoices {
  people?: string[];
  emails?: string;
  amount?: string;
  reason?: string;
  until?: Date | null;
  back?: string;
}

export function askValues({ until: end, ...choices }: AskChoices): FormValues {
  const typed = Object.entries({ reason: 'A migration', ...choices }).map(([field, value]) => [
    field,
    { [field]: value },
  ]);
  const ending = end
    ? { ending: { ending: 'other' }, until: { until: String(Math.floor(end.getTime() / 1_000)) } }
    : {};
  return { ...Object.fromEntries(typed), ...ending };
}

/** The values that an admin may change in the review; the other fields keep their defaults. */
export function reviewValues(
  more: { comment?: string; amounts?: Record<number, string | null>; exceptions?: string } = {},
): FormValues {
  const amounts = Object.entries(more.amounts ?? {}).map(([position, value]) => {
    const field = `amount_${position}`;
    return [field, { [field]: value }] as const;
  });
  return {
    ...(more.comment === undefined ? {} : { comment: { comment: more.comment } }),
    ...(more.exceptions === undefined ? {} : { exceptions: { exceptions: more.exceptions } }),
    ...Object.fromEntries(amounts),
  };
}

/** Presses *Deny* in the open review and submits the reason. */
export async function denyReview(scene: LimitScene, as: string, comment: string): Promise<ViewView> {
  const since = scene.slack.mark();
  await scene.slack.control.click({ as, source: { in: 'modal' }, actionId: 'limits_deny' });
  await nextView(scene.slack, since);
  return submitForm(scene.slack, as, { comment: { comment } });
}

/** Makes a request by the form and returns its id, once its card is posted. */
export async function ask(scene: LimitScene, as: string, choices: AskChoices): Promise<string> {
  const id = await submitRequest(scene, as, choices);
  await delivered(scene, `limit-card:${id}:`);
  return id;
}

/** Makes a request by the form and returns its id, whether or not a card can be posted. */
export async function submitRequest(scene: LimitScene, as: string, choices: AskChoices): Promise<string> {
  await openByCommand(scene.slack, as, '/limits', 'request');
  const view = await submitForm(scene.slack, as, askValues(choices));
  const sent = textOfView(view).includes('Check before you send') ? await submitForm(scene.slack, as) : view;
  const id = /Your request is `(\w+)`/.exec(textOfView(sent))?.[1];
  if (id === undefined) throw new Error(`Nothing was asked: ${textOfView(sent)}`);
  return id;
}

/** The newest card of a request that a user sees, in a channel or in their direct messages. */
export async function cardOf(scene: LimitScene, id: string, channel = 'agent-usage', as = 'ada'): Promise<MessageView> {
  const card = await findCard(scene, id, channel, as);
  if (!card) throw new Error(`There is no card of ${id} in ${channel}`);
  return card;
}

async function findCard(scene: LimitScene, id: string, channel: string, as: string): Promise<MessageView | undefined> {
  const { channels } = await scene.slack.control.state({ as });
  const place = channels.find(({ name, kind }) => (channel === 'dm' ? kind === 'dm' : name === channel));
  return place?.messages.find(({ metadata }) => String(metadata?.event_payload['key']).startsWith(`limit-card:${id}:`));
}

/** Clicks a button of a card by its action, even if the card no longer shows it. */
export async function clickCard(
  scene: LimitScene,
  as: string,
  id: string,
  actionId: string,
  channel = 'agent-usage',
): Promise<void> {
  const reader = channel === 'dm' ? as : 'ada';
  // Each of several approvers gets a copy, at a time of its own.
  const card = await eventually(
    () => findCard(scene, id, channel, reader),
    `the card of ${id} in ${channel} of ${reader}`,
    () => letTimePass(scene),
  );
  const source = { in: 'message' as const, channel, ts: card.ts };
  const forged = { type: 'button', action_id: actionId, value: id };
  const delivery = await scene.slack.control.click({ as, source, actionId, forged });
  if (!delivery.inTime) throw new Error('The click was not acknowledged in time');
}

/** Opens the review by the card’s button; returns the text of the modal. */
export async function openReview(scene: LimitScene, as: string, id: string, channel?: string): Promise<ViewView> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, 'limits_review', channel);
  return nextView(scene.slack, since);
}

/** Reviews a request and returns the final text of the modal. */
export async function review(
  scene: LimitScene,
  as: string,
  id: string,
  verdict: 'approve' | 'deny',
  more: Parameters<typeof reviewValues>[0] = {},
): Promise<ViewView> {
  await openReview(scene, as, id);
  if (verdict === 'deny') return denyReview(scene, as, more.comment ?? '');
  return submitForm(scene.slack, as, reviewValues(more));
}

async function withLimitsOf<Result>(scene: LimitScene, use: (db: LimitDatabase) => Promise<Result>): Promise<Result> {
  const db = readDatabase(scene.databaseUrl);
  try {
    return await use(withLimits(db));
  } finally {
    await db.destroy();
  }
}

export const requestOf = (scene: LimitScene, id: string) =>
  withLimitsOf(scene, (db) =>
    db.selectFrom('limitRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );

export const peopleIn = (scene: LimitScene, id: string) =>
  withLimitsOf(scene, (db) =>
    db.selectFrom('limitRequestPeople').selectAll().where('requestId', '=', id).orderBy('position').execute(),
  );

export const ledger = (scene: LimitScene) =>
  withLimitsOf(scene, (db) => db.selectFrom('limitLedger').selectAll().orderBy('setAt').orderBy('email').execute());

/** Waits until a request is in a state. */
export const untilState = (scene: LimitScene, id: string, state: RequestState) => {
  const requestIn = (db: Database) => withLimits(db).selectFrom('limitRequests').selectAll().where('id', '=', id);
  return until(
    scene,
    (db) => requestIn(db).where('state', '=', state).executeTakeFirst(),
    async (db) =>
      `request ${id} to be ${state}; it is ${(await requestIn(db).executeTakeFirst())?.state ?? 'not there'}`,
  );
};

/**
 * Waits until the jobs that are due have run and the outbox has no running work, so that the messages in Slack are final. Its
 * clock advances during the wait: a channel accepts one message a second.
 */
export async function untilQuiet(scene: LimitScene): Promise<void> {
  await whileTimePasses(scene, scene.clock.whenTicked());
  await until(
    scene,
    async (db) => {
      const open = await db
        .selectFrom('deliveries')
        .select('key')
        .where('state', 'in', ['waiting', 'claimed', 'posting', 'unknown'])
        .executeTakeFirst();
      return open ? undefined : true;
    },
    async (db) => `an outbox with nothing under way. ${await deliveriesThere(db)}`,
  );
}

/** The texts of the direct messages of the bot to a user, oldest first. */
export async function directMessagesTo(scene: LimitScene, as: string): Promise<string[]> {
  const { channels } = await scene.slack.control.state({ as });
  const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
  return messages
    .filter(({ metadata }) => String(metadata?.event_payload['key']).startsWith('limit-told:'))
    .map(({ text }) => text);
}

/** The PUTs that set limits, as the platform received them. */
export function putsOf(scene: LimitScene): number {
  return scene.platform.requests.filter(({ method }) => method === 'PUT').length;
}

/** The delivery keys of all messages in Slack. */
export const messageKeys = ({ slack }: LimitScene): string[] =>
  [...slack.workspace.channels.values()]
    .flatMap(({ messages }) => messages)
    .flatMap(({ metadata }) => {
      const key = metadata?.event_payload['key'];
      return typeof key === 'string' ? [key] : [];
    });
