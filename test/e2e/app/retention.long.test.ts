import { afterEach, describe, expect, test } from 'vitest';
import type { RunningApp } from '../../../src/app/app.ts';
import type { RetentionTables } from '../../../src/features/retention/table.ts';
import { dayOf } from '../../../src/core/base/time/calendar.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { messagesIn, formValues, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { startReplica, startTestApp, type TestApp } from '../../support/test-app.ts';

const AT = new Date('2026-05-04T07:00:00Z');
const TODAY = '2026-05-04';
const OLD = '2026-02-23..2026-03-08';
const ACROSS = '2026-03-18..2026-03-31';

let scene: TestApp;
let restarted: RunningApp | undefined;
afterEach(async () => {
  await restarted?.stop();
  restarted = undefined;
  await scene.close();
});

/** Everything except the parts that change each time: the time of the reading, and the ids of blocks. */
const usage = async (as: string, text: string) =>
  everythingIn(await typeCommand(scene.slack, as, '/usage', text))
    .replaceAll(/07:0\d UTC/g, '07:00 UTC')
    .replaceAll(/<!date\^[^>]*>/g, '')
    .replaceAll(/"block_id":"\w+"/g, '');

/** Each view of the organization, in full, for a reader who sees names and for one who does not. */
async function organizationViews(): Promise<string[]> {
  const answers: string[] = [];
  for (const view of ['summary', 'credits', 'models', 'tools', 'activity', 'productivity', 'moved']) {
    for (const as of ['morgan', 'mia']) {
      answers.push(await usage(as, `${view} ${OLD}`), await usage(as, `${view} ${OLD} more`));
    }
  }
  return answers;
}

const restart = async (settings: Record<string, string>) => {
  await scene.app.stop();
  await restarted?.stop();
  restarted = await startReplica({ ...scene, environment: { ...scene.environment, ...settings } });
};

async function setRun(finishedOn: string | null): Promise<void> {
  const store = await openStore(scene.databaseUrl);
  await store.db.withTables<RetentionTables>().updateTable('retentionRuns').set({ finishedOn }).execute();
  await store.close();
}

const peopleRows = () =>
  until(scene, async (db) => {
    const rows = await db.selectFrom('analyticsColumns').select('day').where('day', '<', '2026-03-24').execute();
    return rows.length;
  });

/** Moves the clock, and waits until the run of that day has ended. */
async function pruneAt(instant: Date): Promise<void> {
  await moveClock(scene, instant);
  await until(scene, (db) =>
    db
      .withTables<RetentionTables>()
      .selectFrom('retentionRuns')
      .select('finishedOn')
      .where('finishedOn', '=', dayOf(instant))
      .executeTakeFirst(),
  );
}

/** One more run on this day. */
async function untilPruned(): Promise<void> {
  await setRun(null);
  await pruneAt(new Date(scene.clock.now().getTime() + 60_000));
}

describe('days whose people are past their retention', () => {
  test('give the same answers about the organization before and after, word for word', async () => {
    scene = await startTestApp({ at: AT });
    await usage('morgan', `people ${OLD}`);
    await usage('morgan', `teams ${OLD}`);
    await setRun(TODAY);
    await restart({ RETENTION_DAYS: 'people=40' });
    const before = await organizationViews();
    expect(await peopleRows()).toBeGreaterThan(0);
    await untilPruned();
    expect(await peopleRows()).toBe(0);
    const asked = scene.platform.requests.length;
    expect(await organizationViews()).toEqual(before);
    const paths = scene.platform.requests.slice(asked).map(({ path }) => path.split('/').at(-1));
    expect(paths).not.toContain('users');
    expect(before.join(' ')).not.toContain('not published');
  });

  test('are left out of answers about people, with a note', async () => {
    scene = await startTestApp({ at: AT, settings: { RETENTION_DAYS: 'people=40' } });
    const people = await usage('morgan', `people ${ACROSS}`);
    expect(people).toContain('Figures of people are kept for 40 days, since 25 Mar 2026, so the period starts then.');
    const me = await usage('mia', `me ${ACROSS}`);
    expect(me).toContain('Figures of people are kept for 40 days, since 25 Mar 2026, so the period starts then.');
    expect(me).toContain('Not compared: figures of people before 25 Mar 2026 are no longer kept.');
    expect(await usage('mia', `me ${OLD}`)).toContain(
      'Figures of people are kept for 40 days, since 25 Mar 2026; 23 Feb – 8 Mar',
    );
    expect(scene.platform.requests.filter(({ query }) => (query['startDate'] ?? '') < '2026-03-25')).toEqual(
      scene.platform.requests.filter(
        ({ path, query }) => (query['startDate'] ?? '') < '2026-03-25' && !path.endsWith('/analytics/users'),
      ),
    );
    const since = scene.slack.mark();
    await usage('morgan', `people ${ACROSS} csv`);
    const { file } = await scene.slack.next('file_shared', undefined, { since });
    expect(file.name).toBe('usage-people-2026-03-25-to-2026-03-31.csv');
    const quarters = await typeCommand(scene.slack, 'morgan', '/limits', 'simulate @web-team 1k per quarter');
    expect(quarters.text).toBe(
      'Figures of people are kept for 40 days, and no whole quarter is among them. Try a shorter period.',
    );
  });

  test('are left out of a digest about people, with a note; one about the organization has all of its days', async () => {
    scene = await startTestApp({
      at: new Date('2026-05-30T07:00:00Z'),
      settings: { RETENTION_DAYS: 'people=40' },
    });
    const preview = async (audience: string) => {
      const digest = { where: 'me', audience, rhythm: 'monthly', monthDay: '1' } as const;
      const { id } = await setUpDigest(scene, { ...digest, sections: ['summary'] });
      return everythingIn(await typeCommand(scene.slack, 'morgan', '/digest', `preview ${id}`));
    };
    const kept = 'Figures of people are kept for 40 days, since 20 Apr 2026.';
    expect(await preview('S0WEB')).toContain(kept);
    expect(await preview('organization')).not.toContain(kept);
    const early = scene.platform.requests.filter(({ path }) => path.endsWith('/analytics/users'));
    expect(early.filter(({ query }) => (query['startDate'] ?? '') < '2026-04-20')).toEqual([]);
  });

  test('prevent a new budget of people from covering them, and an existing one from being counted', async () => {
    scene = await startTestApp({ at: AT });
    const budget = { credits: '30m', whose: 'people', people: ['U0MIA'], period: 'year' };
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    expect(textOfView(await submitForm(scene.slack, 'morgan', formValues(budget)))).toContain('Done.');
    await restart({ RETENTION_DAYS: 'people=190' });
    const shown = everythingIn(await typeCommand(scene.slack, 'morgan', '/budget'));
    expect(shown).toContain(
      'Not counted. Figures of people are kept for 190 days, which is too short for this period.',
    );
    await openByCommand(scene.slack, 'morgan', '/budget', 'new');
    const { errors } = await submitForm(scene.slack, 'morgan', formValues(budget));
    expect(errors).toEqual({
      period:
        'Figures of people are kept for 190 days, which is too short for this period. Choose a shorter one, or the organization.',
    });
    const quarter = await submitForm(scene.slack, 'morgan', formValues({ ...budget, period: 'quarter' }));
    expect(textOfView(quarter)).toContain('Done.');
  });
});

describe('deliveries past their retention', () => {
  test('are deleted, and not posted again, even after a restart', async () => {
    scene = await startTestApp({
      at: new Date('2026-04-14T08:00:00Z'),
      settings: {
        DIGEST_CHANNEL: '#agent-usage',
        CONTROLS_CHANNEL: '#agent-usage',
        CONTROLS_POLL_SECONDS: '5',
        BUDGET_CREDITS: '30m',
        BUDGET_CHANNEL: '#agent-usage',
        RETENTION_DAYS: 'deliveries=14',
      },
    });
    await typeCommand(scene.slack, 'morgan', '/usage', 'watch #agent-usage');
    const now = await setUpDigest(scene, { rhythm: 'daily', at: '10:00', zone: 'UTC' });
    await until(scene, (db) =>
      db.selectFrom('audit').selectAll().where('about', '=', 'budget:settings').executeTakeFirst(),
    );
    await until(scene, (db) =>
      db.selectFrom('deliveries').selectAll().where('kind', '=', 'controls-introduction').executeTakeFirst(),
    );
    scene.platform.addRevision({ settings: { allowedDomains: ['one.example'] } });
    scene.platform.reviseDay('2026-04-14', 100);
    await moveClock(scene, new Date('2026-04-15T10:00:05Z'));
    const kinds = ['digest', 'usage-watch-message', 'budget', 'digest-introduction', 'controls-notice'];
    await until(scene, async (db) => {
      const rows = await db.selectFrom('deliveries').select(['kind', 'state']).execute();
      const sent = new Set(rows.filter(({ state }) => state === 'sent').map(({ kind }) => kind));
      const isStill = rows.every(({ state }) => ['sent', 'skipped', 'failed'].includes(state));
      return isStill && kinds.every((kind) => sent.has(kind)) ? true : undefined;
    });
    const keysIn = async () => {
      const { posts, replies } = await messagesIn(scene, 'agent-usage');
      return [...posts, ...replies].map(({ metadata }) => String(metadata?.event_payload['key']));
    };
    const before = await keysIn();
    await pruneAt(new Date('2026-05-16T08:30:00Z'));
    await restart({});
    await moveClock(scene, new Date('2026-05-16T10:00:05Z'));
    await until(scene, async (db) => {
      const rows = await db.selectFrom('deliveries').select(['key', 'state']).execute();
      const isStill = rows.every(({ state }) => ['sent', 'skipped', 'failed'].includes(state));
      return isStill && rows.some(({ key }) => key === `digest:${now.id}:2026-05-16`) ? true : undefined;
    });
    const old = await until(scene, (db) =>
      db.selectFrom('deliveries').select('kind').distinct().where('createdAt', '<', '2026-05-01').execute(),
    );
    // Data to which a schedule, a budget and a button still refer.
    expect(old.map(({ kind }) => kind).toSorted()).toEqual(['budget', 'digest', 'usage-watch-message']);
    const after = await keysIn();
    expect(after).toHaveLength(new Set(after).size);
    expect(after).toEqual(expect.arrayContaining(before));
    const first = (await messagesIn(scene, 'agent-usage')).posts.find(({ text }) => text.includes('unusually'));
    if (!first) throw new Error('No unusual day was posted');
    // A delivery is kept as long as another row refers to its message: its buttons continue to work.
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', first, 'Expected', 'agent-usage');
    const { message } = await scene.slack.next('ephemeral', undefined, { since });
    expect(message.text).toContain('Noted.');
  });
});
