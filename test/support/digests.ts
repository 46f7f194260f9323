import type { Database } from '../../src/core/store/tables.ts';
import type { MessageView } from '../../src/sandbox/slack/people/control-types.ts';
import { listSubscriptions } from '../../src/core/schedule/subscriptions.ts';
import type { Subscription } from '../../src/core/schedule/subscription-table.ts';
import { readDatabase } from './stores/databases.ts';
import { openByCommand, submitForm } from './slack/modals.ts';
import type { TestApp } from './test-app.ts';
import { letTimePass } from './scene-clock.ts';
import { eventually } from './waiting.ts';

/** The values that a user types into the form of `/digest new`; the other fields keep their defaults. */
export interface FormChoices {
  where?: 'channel' | 'me';
  channel?: string | null;
  audience?: string;
  people?: string[];
  sections?: string[];
  rhythm?: string;
  weekday?: string;
  monthDay?: string;
  at?: string;
  zone?: string;
  send?: 'always' | 'when_needed';
}

export function formValues(
  choices: FormChoices | Record<string, string | string[] | null>,
): Record<string, Record<string, string | string[] | null>> {
  return Object.fromEntries(Object.entries(choices).map(([field, value]) => [field, { [field]: value }]));
}

/** Sets up a digest by its form and returns it. */
export async function setUpDigest(scene: TestApp, choices: FormChoices, as = 'morgan'): Promise<Subscription> {
  const before = new Set((await subscriptions(scene)).map(({ id }) => id));
  await openByCommand(scene.slack, as, '/digest', 'new');
  const view = await submitForm(scene.slack, as, formValues(choices));
  // The one of the settings may be planned at the same time.
  const made = (await subscriptions(scene)).find(({ id }) => id !== 'settings' && !before.has(id));
  if (!made) throw new Error(`No digest was set up: ${JSON.stringify(view.view)}`);
  return made;
}

async function withDatabase<Result>(
  scene: Pick<TestApp, 'databaseUrl'>,
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = readDatabase(scene.databaseUrl);
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

export function subscriptions(scene: TestApp): Promise<Subscription[]> {
  return withDatabase(scene, (db) => listSubscriptions(db, 'digest'));
}

/**
 * Waits until a question to the database has the answer that a test waits for; if the scene has a clock, it runs faster
 * during the wait.
 * @param awaited the message if it never comes; by default the question itself
 */
export async function until<Result>(
  scene: Pick<TestApp, 'databaseUrl'> & Partial<Pick<TestApp, 'clock'>>,
  ask: (db: Database) => Promise<Result | undefined>,
  awaited: (db: Database) => string | Promise<string> = () => String(ask).replaceAll(/\s+/g, ' ').slice(0, 300),
): Promise<Result> {
  return withDatabase(scene, (db) =>
    eventually(
      () => ask(db),
      () => awaited(db),
      () => letTimePass(scene),
    ),
  );
}

const MOST_NAMED = 20;

/** The deliveries, newest first, for the message of a test that waits in vain. */
export async function deliveriesThere(db: Database): Promise<string> {
  const query = db.selectFrom('deliveries').select(['key', 'state', 'reason']).orderBy('createdAt', 'desc');
  const rows = await query.limit(MOST_NAMED + 1).execute();
  const lines = rows.slice(0, MOST_NAMED).map(({ key, state, reason }) => `${key} ${state} (${reason ?? 'no reason'})`);
  const more = rows.length > MOST_NAMED ? ['and more'] : [];
  return ['The deliveries that are there:', ...(rows.length === 0 ? ['none'] : lines), ...more].join('\n');
}

/** Waits until a delivery whose key holds `part` is in a state, and returns it. */
export function delivered(
  scene: Pick<TestApp, 'databaseUrl'> & Partial<Pick<TestApp, 'clock'>>,
  part: string,
  state: 'sent' | 'failed' | 'skipped' | 'waiting' = 'sent',
) {
  return until(
    scene,
    (db) =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where('key', 'like', `%${part}%`)
        .where('state', '=', state)
        // It waits from the beginning; a test expects that it was tried.
        .$if(state === 'waiting', (query) => query.where('reason', 'is not', null))
        .orderBy('createdAt', 'desc')
        .executeTakeFirst(),
    async (db) => `a delivery that is ${state} and has “${part}” in its key. ${await deliveriesThere(db)}`,
  );
}

/** The delivered messages of a channel as one person sees it; the replies in threads apart. */
export async function messagesIn(scene: Pick<TestApp, 'slack'>, channelName: string, as = 'ada') {
  const { channels } = await scene.slack.control.state({ as });
  const all =
    channels.find(({ name, kind }) => (channelName === 'dm' ? kind === 'dm' : name === channelName))?.messages ?? [];
  const own = all.filter(({ metadata }) => metadata !== null);
  const isReply = ({ threadTs, ts }: MessageView) => threadTs !== null && threadTs !== ts;
  return { posts: own.filter((message) => !isReply(message)), replies: own.filter(isReply) };
}
