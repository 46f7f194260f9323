import { afterEach, expect, test } from 'vitest';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { readReadiness } from '../../support/slack/refreshes.ts';
import type { RefusalTables } from '../../../src/core/watches/refusal-table.ts';
import { formValues, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

type Fault = Parameters<TestApp['platform']['faults']['add']>[0];

const SOURCES = [
  {
    source: 'figures',
    label: 'Figures',
    path: /analytics/,
    what: 'The platform’s figures',
    begin: async () => {
      await openByCommand(scene.slack, 'morgan', '/budget', 'new');
      await submitForm(scene.slack, 'morgan', formValues({ credits: '30m', where: 'me', channel: null }));
    },
  },
  {
    source: 'readiness',
    label: 'Readiness reports',
    path: /maturity-level-reports/,
    what: 'The readiness reports',
    begin: async () => void (await typeCommand(scene.slack, 'ada', '/readiness', 'watch')),
  },
] as const;

const REASONS: readonly Omit<Fault, 'match'>[] = [
  { kind: 'status', status: 404 },
  { kind: 'status', status: 503 },
  { kind: 'html' },
];

const directTexts = async () => {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  return (channels.find(({ kind }) => kind === 'dm')?.messages ?? []).map(({ text }) => text);
};

test.each(SOURCES.flatMap((source) => REASONS.map((reason) => ({ ...source, reason, why: JSON.stringify(reason) }))))(
  '$source that fail with $why for an hour are reported to each admin once, and once more when they work',
  async ({ source, label, path, what, reason, begin }) => {
    scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z') });
    await begin();
    const told = async () => (await directTexts()).filter((text) => text.includes(what));
    const ready = async () => (await readReadiness(scene.app.port))[source];
    const health = async () => {
      const text = everythingIn(await typeCommand(scene.slack, 'ada', '/quartermaster', ''));
      return new RegExp(`⚠️ ${label}: ([^\\\\"\n]*)`).exec(text)?.[1];
    };
    const pass = (minutes: number) => moveClock(scene, new Date(scene.clock.now().getTime() + minutes * 60_000));
    const recorded = (column: 'failedAt' | 'readAt', after: Date) =>
      until(scene, async (db) => {
        const rows = await db.withTables<RefusalTables>().selectFrom('sourceReadings').selectAll().execute();
        return rows.find((row) => row.source === source && (row[column] ?? '') >= after.toISOString());
      });
    const failedAt = (after: Date) => recorded('failedAt', after);
    const readSince = (after: Date) => recorded('readAt', after);
    const clear = scene.platform.faults.add({ ...reason, match: { path } });
    await pass(11);
    await failedAt(scene.clock.now());
    await pass(30);
    await failedAt(scene.clock.now());
    expect(await told()).toEqual([]);
    expect([await health(), await ready()]).toEqual([undefined, undefined]);
    await pass(31);
    await failedAt(scene.clock.now());
    await pass(1);
    await until(scene, async () => ((await told()).length > 0 ? true : undefined));
    expect(await told()).toEqual([expect.stringContaining('haven’t been read since')]);
    // The owner of a watch learns that it is silent, once an outage.
    const toldOwner = async () =>
      (await directTexts()).filter((text) => text.includes('so your readiness alerts for')).length;
    const owners = source === 'readiness' ? 1 : 0;
    await until(scene, async () => ((await toldOwner()) === owners ? true : undefined));
    await until(scene, async () => ((await ready()) === undefined ? undefined : true));
    expect(await ready()).toMatch(/^not read since 2026-\d\d-\d\dT\d\d:\d\dZ$/);
    expect(await health()).toBe(await ready());
    await pass(61);
    await failedAt(scene.clock.now());
    expect(await toldOwner()).toBe(owners);
    clear();
    // Until all parts are tried again, or nothing has tried them for half an hour.
    for (let tries = 0; tries < 5; tries += 1) {
      await pass(11);
      await readSince(scene.clock.now());
    }
    await pass(1);
    await until(scene, async () => ((await told()).length > 1 ? true : undefined));
    expect(await told()).toEqual([expect.anything(), expect.stringContaining('are read again')]);
    await until(scene, async () => ((await ready()) === undefined ? true : undefined));
    expect(await health()).toBeUndefined();
  },
);
