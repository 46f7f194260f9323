import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';
import { withHooks } from '../../../src/features/sessions/hooks/core/session-tables.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import { change } from '../controls.ts';
import { askForComputer } from '../computers.ts';
import { delivered, formValues, setUpDigest, until } from '../digests.ts';
import { moveClock } from '../scene-clock.ts';
import { send, startHooksApp, tokenOf, waits } from '../hooks/hooks.ts';
import { ask, clickCard, reviewValues, openReview, untilQuiet } from '../limits/limits.ts';
import { typeCommand } from '../slack/conversation.ts';
import { tablesIn } from '../../../src/features/controls/core/revisions.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../slack/modals.ts';
import { readDatabase } from '../stores/databases.ts';
import type { TestApp } from '../test-app.ts';
import { handmadeRows, MORNING_KEY } from './handmade-rows.ts';

type Scene = Awaited<ReturnType<typeof startHooksApp>>;

export type PeopleRole = 'manager' | 'admin';

export interface KindsScene extends Scene {
  /** Messages of every kind, by their kind. */
  rows: ReadonlyMap<string, readonly Delivery[]>;
  /** No further message is sent until then. */
  resume: () => void;
}

/** Nora is a manager and Max an admin by these groups, so that both can lose their role. */
const LEADS = 'S0LEADS';
const OWNERS = 'S0OWNERS';

export function setRoles({ slack }: Pick<TestApp, 'slack'>, { managers, admins }: Record<string, string[]>): void {
  const { userGroups } = slack.workspace;
  userGroups.set(LEADS, { id: LEADS, handle: 'leads', name: 'Leads', members: managers ?? [] });
  userGroups.set(OWNERS, { id: OWNERS, handle: 'owners', name: 'Owners', members: admins ?? [] });
}

/** Starts the app and makes it send as many kinds of message as conversations cause; the rest is written by hand. */
export async function startKindsScene(peopleRole: PeopleRole): Promise<KindsScene> {
  const paused = Promise.withResolvers<void>();
  let isPaused = false;
  const scene = await startHooksApp({
    checkpoint: (name) => (isPaused && name === 'outbox:before_claim' ? paused.promise : undefined),
    at: new Date('2026-04-14T12:00:00Z'),
    platform: { oldestRevision: 1 },
    settings: {
      MANAGERS: `morgan.manager@acme.example,${LEADS}`,
      ADMINS: `U0ADA,${OWNERS}`,
      PEOPLE_ROLE: peopleRole,
      LIMITS_CHANNEL: '#agent-usage',
      CONTROLS_CHANNEL: '#agent-usage',
      CONTROLS_POLL_SECONDS: '5',
    },
  });
  setRoles(scene, { managers: ['U0NORA'], admins: ['U0MAX'] });
  await eraseElla(scene);
  await askForThings(scene);
  await setUpSubscriptions(scene);
  await letFiguresCome(scene);
  await untilQuiet(scene);
  await makeRevisionOld(scene);
  await leaveThingsOpen(scene, () => (isPaused = true));
  return { ...scene, rows: await rowsByKind(scene), resume: () => paused.resolve() };
}

/** It names a model, and the seven days after it are settled. */
async function makeRevisionOld({ databaseUrl }: Scene): Promise<void> {
  const db = readDatabase(databaseUrl);
  const changedAt = '2026-04-02T12:00:00.000Z';
  const revisions = tablesIn(db);
  const { settings } = await revisions
    .selectFrom('revisions')
    .select('settings')
    .where('revision', '=', 12)
    .executeTakeFirstOrThrow();
  const named = JSON.stringify({ ...JSON.parse(settings), sessionDefaultSettings: { model: 'atlas-large-thinking' } });
  await revisions.updateTable('revisions').set({ changedAt, settings: named }).where('revision', '=', 12).execute();
  await db.destroy();
}

async function eraseElla(scene: Scene): Promise<void> {
  const email = 'ella@acme.example';
  await scene.slack.control.addPerson({ handle: 'ella', name: 'Ella Erased', email });
  // A person without stored data has nothing to erase.
  const db = readDatabase(scene.databaseUrl);
  const look = { looker: 'U0ADA', subject: email, what: 'usage' as const, day: '2026-04-01' };
  await db.insertInto('figureLooks').values(look).execute();
  await db.destroy();
  await openByCommand(scene.slack, 'ada', '/quartermaster', 'erase');
  await submitForm(scene.slack, 'ada', formValues({ email }));
  await submitForm(scene.slack, 'ada', formValues({ again: email }));
}

/** A computer, an agent that waits, a change of the controls, and a limit with a question. */
async function askForThings(scene: Scene): Promise<void> {
  await askForComputer(scene, { follow: ['follow'] }, 'mia', 'agent-usage');
  await send(scene, await tokenOf(scene, 'mia'), waits('s1'));
  await change(scene, { cloudSessionSync: false, sandbox: { enabled: false } });
  await typeCommand(scene.slack, 'max', '/readiness', 'watch', 'agent-usage');
  const id = await ask(scene, 'mia', { amount: '700', until: new Date('2026-04-20T12:00:00Z'), back: '500' });
  await answerQuestion(scene, await askQuestion(scene, id));
  await delivered(scene, 'limit-answer:');
  await openReview(scene, 'ada', id);
  await submitForm(scene.slack, 'ada', reviewValues({ comment: 'Fine' }));
  await delivered(scene, 'limit-told:');
}

async function askQuestion(scene: Scene, id: string): Promise<Delivery> {
  const since = scene.slack.mark();
  await clickCard(scene, 'ada', id, 'limits_question');
  await nextView(scene.slack, since);
  await submitForm(scene.slack, 'ada', { text: { text: 'For which project?' } });
  return delivered(scene, 'limit-question:');
}

async function answerQuestion({ slack }: Scene, { messageTs: ts, payload }: Delivery): Promise<void> {
  const { questionId } = JSON.parse(payload);
  const since = slack.mark();
  const source = { in: 'message' as const, channel: 'dm', ts: ts ?? '' };
  const forged = { type: 'button', action_id: 'limits_answer', value: questionId };
  await slack.control.click({ as: 'mia', source, actionId: 'limits_answer', forged });
  await nextView(slack, since);
  await submitForm(slack, 'mia', { text: { text: 'The migration of payments.' } });
}

async function setUpSubscriptions(scene: Scene): Promise<void> {
  const { slack } = scene;
  const setUpBudget = async (as: string, fields: Record<string, string | string[] | null>) => {
    await openByCommand(slack, as, '/budget', 'new');
    const view = await submitForm(slack, as, formValues({ actual: '50, 80', forecast: '', ...fields }));
    if (!textOfView(view).includes('Its id is')) throw new Error(`No budget was set up: ${textOfView(view)}`);
  };
  await setUpBudget('max', { credits: '9m', whose: 'S0WEB', names: ['names'] });
  await setUpBudget('nora', { credits: '30m', where: 'me', channel: null });
  await openByCommand(slack, 'mia', '/usage', 'notify');
  await submitForm(slack, 'mia', formValues({ of: 'own', amount: '5m', percents: '50, 95' }));
  await openByCommand(slack, 'ada', '/usage', 'retire new');
  await submitForm(slack, 'ada', formValues({ model: 'atlas-large', day: '2026-05-01', successor: 'atlas-next' }));
  await typeCommand(slack, 'nora', '/usage', 'watch me');
  await typeCommand(slack, 'max', '/usage', 'watch #agent-usage');
  const rhythm = { rhythm: 'daily', at: '12:00', zone: 'UTC' };
  await setUpDigest(scene, { ...rhythm, sections: ['summary', 'people'] }, 'max');
  await setUpDigest(scene, { ...rhythm, sections: ['summary'], where: 'me', channel: null }, 'nora');
}

/** A day that causes every warning, and its revision. */
async function letFiguresCome(scene: Scene): Promise<void> {
  scene.platform.reviseDay('2026-04-14', 100);
  await moveClock(scene, new Date('2026-04-15T12:00:00Z'));
  await delivered(scene, 'budget:me-');
  await delivered(scene, 'usage-watch:C0USAGE');
  await delivered(scene, 'usage-watch:U0NORA');
  scene.platform.reviseDay('2026-04-14', 0.01);
  await moveClock(scene, new Date('2026-04-15T12:20:00Z'));
  await delivered(scene, 'budget:me-%:correction:%:note');
  await delivered(scene, 'digest:%:correction:%:note');
}

/** Starts actions whose messages are still to be sent, and stops the outbox before them. */
async function leaveThingsOpen(scene: Scene, pause: () => void): Promise<void> {
  const asked = await ask(scene, 'mia', { amount: '900' });
  await askQuestion(scene, asked);
  await askForComputer(scene, { name: 'later', follow: ['follow'] }, 'mia', 'agent-usage');
  await until(scene, async (db) => {
    const cards = await db.selectFrom('deliveries').select('state').where('kind', '=', 'computer-card').execute();
    return cards.length === 2 && cards.every(({ state }) => state === 'sent') ? true : undefined;
  });
  const token = await tokenOf(scene, 'nora');
  pause();
  await send(scene, token, waits('s2'));
  await moveClock(scene, new Date(scene.clock.now().getTime() + 2 * 60_000));
  const db = readDatabase(scene.databaseUrl);
  try {
    await pauseWatches(db);
    await withHooks(db)
      .updateTable('hookSessions')
      .set({ heldFor: MORNING_KEY })
      .where('owner', '=', 'U0MIA')
      .execute();
    await db
      .withTables<{ computerOrders: { name: string; state: string } }>()
      .updateTable('computerOrders')
      .set({ state: 'asked' })
      .where('name', '=', 'night-build')
      .execute();
  } finally {
    await db.destroy();
  }
}

/** The watches of another channel, which Quartermaster paused. */
async function pauseWatches(db: Database): Promise<void> {
  const watches = await db.selectFrom('channelSubscriptions').selectAll().where('channel', '=', 'C0USAGE').execute();
  const paused = watches.map((watch) => ({ ...watch, channel: 'C0PLATFORM', state: 'paused' as const }));
  await db.insertInto('channelSubscriptions').values(paused).execute();
}

async function rowsByKind({ app, databaseUrl }: Scene): Promise<Map<string, Delivery[]>> {
  const db = readDatabase(databaseUrl);
  try {
    const query = db.selectFrom('deliveries').selectAll();
    const sent = await query.orderBy('createdAt').orderBy('key').execute();
    const kinds = Object.keys(app.messageKinds);
    const agents = await withHooks(db).selectFrom('hookSessions').selectAll().where('owner', '=', 'U0MIA').execute();
    const handmade = handmadeRows(sent, agents[0]?.since ?? '');
    return new Map(
      kinds.map((kind) => {
        const ofKind = sent.filter((row) => row.kind === kind);
        return [kind, ofKind.length > 0 ? ofKind : handmade.filter((row) => row.kind === kind)];
      }),
    );
  } finally {
    await db.destroy();
  }
}

/**
 * Inserts copies of messages to other readers into the outbox.
 * @returns their keys
 */
export async function enqueueCopies(
  { databaseUrl, clock }: KindsScene,
  rows: readonly Delivery[],
  readers: readonly string[],
): Promise<ReadonlySet<string>> {
  const at = clock.now().toISOString();
  const fresh = { state: 'waiting', dueAt: at, createdAt: at, nextAttemptAt: at, attempts: 0 } as const;
  const unsent = { sentAt: null, firstPostingAt: null, lastPostingAt: null, reason: null };
  const copies = readers.flatMap((to) =>
    rows.map((row) => ({ ...row, ...fresh, ...unsent, key: `copy:${to}:${row.key}`, channel: to })),
  );
  const db = readDatabase(databaseUrl);
  try {
    for (const copy of copies) await db.insertInto('deliveries').values(copy).execute();
    return new Set(copies.map(({ key }) => key));
  } finally {
    await db.destroy();
  }
}
