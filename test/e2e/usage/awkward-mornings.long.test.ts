import { afterEach, expect, test } from 'vitest';
import { formatDay, plusDays } from '../../../src/core/base/time/calendar.ts';
import type { SimulatedPlatform } from '../../../src/sandbox/platform/platform.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { delivered, messagesIn, setUpDigest } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { shareOf } from '../../support/property-runs.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

/** A morning on which answers could contradict each other. */
interface Morning {
  name: string;
  /** The date of the digest, at nine UTC. */
  date: string;
  /** The oddity of the days before. */
  prepare?: (platform: SimulatedPlatform) => void;
  /** Yesterday is not published when the digest is due. */
  isLate?: boolean;
}

const MORNINGS: Morning[] = [
  { name: 'an ordinary Tuesday', date: '2026-03-17' },
  { name: 'a Monday, about a Sunday', date: '2026-03-16' },
  { name: 'the first of a month', date: '2026-04-01' },
  { name: 'the second of a month', date: '2026-04-02' },
  {
    name: 'a Tuesday after a holiday',
    date: '2026-03-17',
    prepare: (platform) => platform.reviseDay('2026-03-16', 0.1),
  },
  { name: 'a week after a holiday', date: '2026-03-24', prepare: (platform) => platform.reviseDay('2026-03-16', 0.1) },
  { name: 'a late batch', date: '2026-03-18', prepare: (platform) => platform.holdDay('2026-03-17'), isLate: true },
  { name: 'a missing day last week', date: '2026-03-18', prepare: (platform) => platform.holdDay('2026-03-12') },
  { name: 'a missing day a week ago', date: '2026-03-18', prepare: (platform) => platform.holdDay('2026-03-10') },
  { name: 'a day that was restated to six times', date: '2026-03-18', prepare: (p) => p.reviseDay('2026-03-17', 6) },
  { name: 'a week after a day of six times', date: '2026-03-18', prepare: (p) => p.reviseDay('2026-03-10', 6) },
  { name: 'a day without active people', date: '2026-03-18', prepare: (p) => p.reviseDay('2026-03-17', 0) },
  { name: 'the day after a change of the clocks', date: '2026-03-30' },
  { name: 'a week after the first day of all figures', date: '2026-01-21' },
];

/** The matches in each text, without repetitions. A text without a match yields nothing. */
function saidIn(texts: readonly string[], what: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => what.exec(text)?.[0] ?? []))];
}

test.each(shareOf(MORNINGS))(
  '$name has one comparison, one “usual” and one forecast in every answer and in the digest',
  async ({ date, prepare, isLate }) => {
    const yesterday = plusDays(date, -1);
    scene = await startTestApp({ at: new Date(`${yesterday}T12:00:00Z`) });
    prepare?.(scene.platform);
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary'] });
    await moveClock(scene, new Date(`${date}T09:00:00Z`));
    if (isLate) {
      await delivered(scene, `${id}:${date}`, 'waiting');
      await moveClock(scene, new Date(`${date}T15:00:01Z`));
    }
    await delivered(scene, `${id}:${date}`);
    const digest = (await messagesIn(scene, 'agent-usage')).posts.at(-1)?.text ?? '';
    // A digest of a normal day is one line, and one without its day says only that.
    const hasMore = !isLate && !digest.includes('A normal ');
    if (hasMore) await delivered(scene, `${id}:${date}:detail:summary`);
    const thread = (await messagesIn(scene, 'agent-usage')).replies.map(({ text }) => text);
    const answer = async (text: string) => (await typeCommand(scene.slack, 'morgan', '/usage', text)).text;
    const ask = async (text: string) => `${await answer(text)}\n${await answer(`${text} more`)}`;
    const [ofDay, week, month, creditsOfDay, creditsOfWeek] = [
      await ask(yesterday),
      await ask('7d'),
      await ask('28d'),
      await ask(`credits ${yesterday}`),
      await ask('credits 7d'),
    ];

    expect(thread).toHaveLength(hasMore ? 1 : 0);
    const forecasts = saidIn([ofDay, week, month, ...thread], /\w+ \d+ is on track for about [^\n]*|No forecast[^\n]*/);
    expect(forecasts).toHaveLength(1);
    for (const text of [ofDay, week, month, ...thread]) expect(text).toContain(forecasts[0]);

    const amount =
      /(?<=^|: )(?:[\d.]+(?: [KMB])?|No) credits(?: used)?(?:, (?:\d+% |more than |up|down|about|the same)[^\n]*? on \w+ \d+ \w+(?: \([^)\n]*\))?)?/m;
    const [ofDaySaid, ...others] = saidIn([ofDay, creditsOfDay], amount);
    expect([ofDaySaid === undefined, others]).toEqual([isLate === true, []]);
    const said = /^(No|[\d.]+(?: [KMB])?) credits on \w+: (above|below|within|too few)/m.exec(digest);
    expect(said?.[1]).toBe(/^(?:No|[\d.]+(?: [KMB])?)/.exec(ofDaySaid ?? '')?.[0]);
    const amountOfWeek = /^[\d.]+(?: [KMB])? credits(?:, [^\n]*)?/m;
    expect(saidIn([week, creditsOfWeek], amountOfWeek)).toHaveLength(1);

    const verdict = new RegExp(`${formatDay(yesterday)} was unusually [^.\\n]*`);
    const all = [ofDay, week, month, ...thread];
    const verdicts = saidIn(all, verdict);
    const texts = all.filter((text) => verdict.test(text));
    expect(verdicts.length).toBeLessThanOrEqual(1);
    expect([0, all.length]).toContain(texts.length);
    const direction = { above: 'high', below: 'low' }[said?.[2] ?? ''];
    expect(direction ?? '').toBe(/unusually (high|low)/.exec(verdicts[0] ?? '')?.[1] ?? '');
  },
);
