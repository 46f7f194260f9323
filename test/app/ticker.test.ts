import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTicker } from '../../src/app/ticker.ts';
import { createLogger } from '../../src/core/base/log.ts';
import { systemClock, type Clock } from '../../src/core/base/time/clock.ts';
import type { Job, JobRun } from '../../src/core/schedule/job.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';

const START = new Date('2026-03-02T07:58:30Z');
const DAY_MS = 24 * 60 * 60_000;

function tick(clock: Clock, jobs: readonly Job[], timeZone = 'UTC') {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', [], (line) => void lines.push(JSON.parse(line)));
  const lastRuns = new Map<Job, JobRun>();
  const ticker = createTicker({ clock, timeZone, log, jobs, runs: lastRuns });
  onTestFinished(() => ticker.stop());
  ticker.start();
  return { runs: () => [...lastRuns.values()], lines };
}

function openClock() {
  const clock = createMovableClock(START, { frozen: true });
  onTestFinished(() => clock.dispose());
  const passTo = async (time: string) => {
    while (clock.now().toISOString() < time) {
      clock.moveTo(new Date(clock.now().getTime() + 30_000));
      await clock.whenTicked();
    }
  };
  return { clock, passTo };
}

/** A job that notes when it began. */
const noting = (clock: Clock, name: string, cron: string, begun: string[]): Job => ({
  name,
  cron,
  purpose: 'notes when it began',
  run: () => Promise.resolve(void begun.push(`${clock.now().toISOString().slice(11, 16)} ${name}`)),
});

describe('the jobs', () => {
  test('run at the start and then at their times, one after the other in their order', async () => {
    const { clock, passTo } = openClock();
    const begun: string[] = [];
    const crons = { hourly: '0 * * * *', tenth: '*/10 * * * *', minute: '* * * * *' };
    const jobs = Object.entries(crons).map(([name, cron]) => noting(clock, name, cron, begun));
    const { runs } = tick(clock, jobs);
    await vi.waitFor(() => expect(runs()).toHaveLength(3));
    expect(begun.splice(0)).toEqual(['07:58 hourly', '07:58 tenth', '07:58 minute']);
    await passTo('2026-03-02T08:11');
    expect(begun.filter((line) => line.endsWith('minute')).map((line) => line.slice(0, 5))).toEqual(
      '07:59 08:00 08:01 08:02 08:03 08:04 08:05 08:06 08:07 08:08 08:09 08:10 08:11'.split(' '),
    );
    expect(begun.filter((line) => !line.endsWith('minute'))).toEqual(['08:00 hourly', '08:00 tenth', '08:10 tenth']);
    expect(begun.filter((line) => line.startsWith('08:00'))).toEqual(['08:00 hourly', '08:00 tenth', '08:00 minute']);
  });

  test.each([
    ['Asia/Kolkata', '2026-03-02T08:00'],
    ['UTC', '2026-03-02T13:30'],
    ['America/St_Johns', '2026-03-02T17:00'],
  ])('follow the clock of %s', async (timeZone, at) => {
    const { clock, passTo } = openClock();
    const begun: string[] = [];
    const { runs } = tick(clock, [noting(clock, 'half past one', '30 13 * * *', begun)], timeZone);
    await vi.waitFor(() => expect(runs()).toHaveLength(1));
    begun.length = 0;
    await passTo('2026-03-03T07:00');
    expect(begun).toEqual([`${at.slice(11)} half past one`]);
  });

  test('that fail affect no other, and their last run says so', async () => {
    const { clock, passTo } = openClock();
    const begun: string[] = [];
    let isBroken = true;
    const failing = (name: string, run: Job['run']): Job => ({ name, cron: '* * * * *', purpose: 'fails', run });
    const work = () => {
      if (isBroken) throw new Error('out of order');
      return Promise.resolve();
    };
    const jobs = [
      failing('throws', work),
      failing('rejects', async () => work()),
      noting(clock, 'works', '* * * * *', begun),
    ];
    const { runs, lines } = tick(clock, jobs);
    await vi.waitFor(() => expect(runs()).toHaveLength(3));
    const states = () => runs().map(({ job, hasFailed }) => [job.name, hasFailed]);
    expect(states()).toEqual([
      ['throws', true],
      ['rejects', true],
      ['works', false],
    ]);
    expect(lines.map(({ job }) => job)).toEqual(['throws', 'rejects']);
    isBroken = false;
    await passTo('2026-03-02T08:00');
    expect(states().map(([, hasFailed]) => hasFailed)).toEqual([false, false, false]);
    expect(begun.at(-1)).toBe('08:00 works');
  });

  test('never run twice at a time: one that is due again meanwhile runs once more, after the others', async () => {
    const { clock } = openClock();
    const begun: string[] = [];
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const slow: Job = {
      name: 'slow',
      cron: '* * * * *',
      purpose: 'takes minutes',
      run: () => {
        begun.push('slow');
        return mayEnd;
      },
    };
    const { runs } = tick(clock, [slow, noting(clock, 'other', '* * * * *', begun)]);
    for (let minute = 1; minute <= 3; minute += 1) clock.moveTo(new Date(START.getTime() + minute * 60_000));
    expect(begun).toEqual(['slow']);
    end();
    await clock.whenTicked();
    expect(begun).toEqual(['slow', '08:01 other', 'slow']);
    expect(runs()).toHaveLength(2);
  });

  test('have valid expressions, or nothing starts', () => {
    const { clock } = openClock();
    const job = noting(clock, 'never', '61 * * * *', []);
    expect(() => tick(clock, [job])).toThrow('61 is a invalid expression for minute');
  });
});

describe('after a jump of the wall clock', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['forward by a year', 365],
    ['forward by a month', 30],
    ['forward by a day', 1],
    ['back by a day', -1],
  ])('%s, just before a minute, each job runs once and no missed minute is looked at', async (_, days) => {
    vi.useFakeTimers({ now: new Date('2026-11-23T12:00:30Z') });
    const begun: string[] = [];
    const crons = ['* * * * *', '*/10 * * * *', '7 * * * *', '30 3 * * *'];
    const jobs = crons.map((cron) => noting(systemClock, cron, cron, begun));
    const { runs } = tick(systemClock, jobs);
    await vi.advanceTimersByTimeAsync(89_950);
    expect(runs()).toHaveLength(crons.length);
    begun.length = 0;
    vi.setSystemTime(Date.now() + days * DAY_MS);
    const before = process.cpuUsage();
    await vi.advanceTimersByTimeAsync(15_000);
    const { user } = process.cpuUsage(before);
    expect(begun.map((line) => line.slice(6))).toEqual(crons);
    // To look at each minute of a day takes about a hundred milliseconds, at those of a year half a minute.
    expect(user / 1_000).toBeLessThan(500);
    begun.length = 0;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(begun.filter((line) => line.endsWith(' * * * * *'))).toHaveLength(2);
  });
});
