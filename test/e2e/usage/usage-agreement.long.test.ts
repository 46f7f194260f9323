import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { daysOf, plusDays, type Period } from '../../../src/core/base/time/calendar.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, messagesIn, setUpDigest } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { ask as askForLimit, cardOf } from '../../support/limits/limits.ts';
import { textOfView } from '../../support/slack/modals.ts';
import { shareOf } from '../../support/property-runs.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const tokens = z.object({
  data: z.array(
    z.object({
      date: z.string(),
      billable_tokens: z.number(),
      by_user: z.array(z.object({ user_email: z.string().nullable(), billable_tokens: z.number() })),
    }),
  ),
});

/** The platform's own numbers, in thousandths, so that no sum has a rounding error. */
async function usedOn(period: Period, email?: string): Promise<number> {
  const address = `${scene.platform.baseUrl}/api/v1/analytics/tokens?startDate=${period.first}&endDate=${period.last}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${scene.platform.apiKeys.manager}` } });
  const { data } = tokens.parse(await response.json());
  const amounts = data.flatMap(({ billable_tokens: all, by_user: people }) =>
    email === undefined
      ? [all]
      : people.filter(({ user_email: one }) => one?.toLowerCase() === email).map((one) => one.billable_tokens),
  );
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 1_000), 0) / 1_000;
}

const threeDigits = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
/** As written in a sentence. */
const compact = (amount: number) => threeDigits.format(amount).replace(/(?=[KMBT]$)/, ' ');

const usage = async (text: string) => (await typeCommand(scene.slack, 'morgan', '/usage', text)).text;

async function csv(text: string): Promise<string[][]> {
  const since = scene.slack.mark();
  await scene.slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
  const { file } = await scene.slack.next('file_shared', undefined, { since });
  await nextAnswer(scene.slack, since);
  const response = await fetch(new URL(file.downloadPath, scene.slack.apiUrl), {
    headers: { authorization: `Bearer ${scene.slack.botToken}` },
  });
  return (await response.text()).split(/\r?\n/).map((line) => line.split(','));
}

const sumOf = (cells: readonly (string | undefined)[]) =>
  cells.reduce((sum, cell) => sum + Math.round(Number(cell) * 1_000), 0) / 1_000;

const ORGANIZATIONS = [
  { seed: 2, people: 5, creditDecimals: 0 },
  { seed: 3, people: 7, creditDecimals: 3 },
  { seed: 4, people: 40, creditDecimals: 2 },
  { seed: 5, people: 150, creditDecimals: 1 },
];

test.each(shareOf(ORGANIZATIONS))(
  'an organization of $people people whose credits have $creditDecimals decimals has the same figures in every view',
  async (organization) => {
    scene = await startTestApp({ at: new Date('2026-03-11T05:00:00Z'), platform: organization });
    const yesterday = '2026-03-10';
    const week = { first: plusDays(yesterday, -6), last: yesterday };
    const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '06:00', zone: 'UTC', sections: ['summary'] });
    await moveClock(scene, new Date('2026-03-11T06:00:00Z'));
    await delivered(scene, `${id}:2026-03-11`);
    const digest = (await messagesIn(scene, 'agent-usage')).posts.at(-1)?.text ?? '';
    const used = await usedOn({ first: yesterday, last: yesterday });
    expect(digest).toMatch(new RegExp(`^${used === 0 ? 'No' : compact(used)} credits? on Tuesday: `, 'm'));

    const total = await usedOn(week);
    for (const view of ['summary', 'credits', 'models', 'moved']) {
      expect(`${view}: ${await usage(`${view} 7d`)}`).toContain(`${compact(total)} credits`);
    }
    for (const view of ['summary', 'credits']) {
      const rows = await csv(`${view} 7d csv`);
      const days = rows.filter(([, of, , measure]) => of === 'organization' && measure === 'Standard Credits');
      expect(days.map(([day]) => day)).toEqual(daysOf(week));
      expect(sumOf(days.map((row) => row[4]))).toBe(total);
    }
    const [head = [], ...people] = await csv('people 7d csv');
    const column = head.indexOf('Standard Credits');
    expect(sumOf(people.map((row) => row[column] ?? '0'))).toBe(total);

    const mia = 'mia.member@acme.example';
    const own = await usedOn(week, mia);
    expect(await usage('7d @mia')).toContain(`${compact(own)} credits`);
    const request = await askForLimit(scene, 'mia', { amount: '700' });
    const month = await usedOn({ first: plusDays(yesterday, -27), last: yesterday }, mia);
    const card = (await cardOf(scene, request, 'dm')).text;
    expect(card).toContain(`used *${compact(own)}* credits in the last 7 days`);
    expect(card).toContain(`*${compact(month)}* in the last 28`);

    const since = scene.slack.mark();
    await scene.slack.control.openHome({ as: 'mia' });
    const isReady = ({ view }: { view: Parameters<typeof textOfView>[0] }) =>
      !textOfView(view).includes('One moment …');
    const { view } = await scene.slack.next('home_published', isReady, { since });
    const thisMonth = compact(await usedOn({ first: '2026-03-01', last: yesterday }, mia));
    expect(textOfView(view)).toContain(`*${thisMonth}* credits`);
  },
);
