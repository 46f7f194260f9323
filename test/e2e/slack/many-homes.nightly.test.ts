import { expect, onTestFinished, test } from 'vitest';
import { makePerson, seedWorkspace } from '../../../src/sandbox/slack/model/seed.ts';
import { startTestApp } from '../../support/test-app.ts';

const OPENINGS = 500;
const CALLS_A_MINUTE = 100;
const LISTS_A_MINUTE = 20;
const MINUTE_MS = 60_000;
/** Longer than a busy machine takes for a page. */
const STILL_MS = 400;
const PATIENCE_MS = 150_000;
const STEP_MS = 10_000;

const WORKSPACES = [
  { members: OPENINGS, settings: {} },
  // The list of admins comes from a directory that takes more pages than Slack allows in a minute.
  { members: 20_000, settings: { FOUR_EYES: 'when-possible' } },
];

test.for(WORKSPACES)(
  '500 people who open App Home at once after a start with $members members, with 100 pages a minute, each have their page within ten minutes',
  { timeout: 2 * PATIENCE_MS },
  async ({ members, settings }) => {
    const scene = await startTestApp({
      settings,
      slack: {
        workspace: (workspace) => {
          seedWorkspace(workspace);
          for (let index = 0; index < members; index += 1) {
            const id = `U1${index}`;
            workspace.people.set(id, makePerson({ id, handle: id, name: id, email: `person${index}@acme.example` }));
          }
        },
      },
    });
    onTestFinished(() => scene.close());
    const { slack, clock } = scene;
    await slack.control.configure({ callsAMinute: { 'views.publish': CALLS_A_MINUTE, 'users.list': LISTS_A_MINUTE } });
    const since = slack.mark();
    const begunMs = clock.now().getTime();
    const people = ['U0ADA', ...Array.from({ length: OPENINGS - 1 }, (_, index) => `U1${index}`)];
    await Promise.all(people.map((as) => slack.control.openHome({ as })));
    const shown = () =>
      new Set(
        slack.events
          .since(since)
          .flatMap((event) =>
            event.kind === 'home_published' && JSON.stringify(event.view.view).includes('My usage this month')
              ? [event.person]
              : [],
          ),
      );
    // The clock advances while nothing else happens: pages are built in real time.
    let before = { count: -1, atMs: 0 };
    const look = () => {
      const count = shown().size;
      if (count !== before.count) before = { count, atMs: performance.now() };
      if (count < OPENINGS && performance.now() - before.atMs >= STILL_MS) {
        clock.moveTo(new Date(clock.now().getTime() + STEP_MS));
        before.atMs = performance.now();
      }
      return count;
    };
    await expect.poll(look, { timeout: PATIENCE_MS, interval: 20 }).toBe(OPENINGS);
    const minutes = (clock.now().getTime() - begunMs) / MINUTE_MS;
    const refused = slack.traffic
      .latest(5_000)
      .filter(({ method, status }) => method === 'views.publish' && status !== '200');
    process.stdout.write(
      `${OPENINGS} openings: the last page after ${minutes.toFixed(1)} min; ${refused.length} calls refused\n`,
    );
    expect(minutes).toBeLessThan(10);
    expect(refused.length).toBeLessThan(OPENINGS);
  },
);
