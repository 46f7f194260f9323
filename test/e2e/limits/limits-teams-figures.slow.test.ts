import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Period } from '../../../src/core/base/time/calendar.ts';
import { formValues, messagesIn, setUpDigest } from '../../support/digests.ts';
import { cardOf, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { approve, createTeam, requestOfMia, startTeamApp } from '../../support/limits/teams.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import type { TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTeamApp();
});
afterEach(() => scene.close());

/** What leads set beyond the permanent limits in March, from what was decided: the charges themselves are not read. */
async function grantedInRows(): Promise<number> {
  const db = readDatabase(scene.databaseUrl);
  const { rows } = await sql<{ granted: number }>`
    select sum(highest) as granted from (
      select max(entry.value - person.return_value) as highest
      from limit_ledger as entry
      join limit_requests as request on request.id = entry.request_id
      join limit_request_people as person on person.request_id = entry.request_id and person.email = entry.email
      where request.kind = 'ask' and request.decided_by = 'U0NORA' and entry.set_at like '2026-03-%'
      group by entry.email
    ) as people`.execute(db);
  await db.destroy();
  return Number(rows[0]?.granted);
}

const amountIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]) * 1_000_000;

test('the card, the digest, both screens of the team and the rows say the same of its pool', async () => {
  await createTeam(scene);
  for (const amount of ['1b', '1.05b']) {
    const id = await requestOfMia(scene, amount);
    await approve(scene, id);
    await untilState(scene, id, 'applied');
  }
  const granted = await grantedInRows();
  expect(granted).toBe(150_000_000);
  const next = await requestOfMia(scene, '1.1b');
  expect(amountIn((await cardOf(scene, next, 'dm', 'nora')).text, /: (\d+) M of 300 M granted/)).toBe(granted);
  const teams = (await typeCommand(scene.slack, 'ada', '/limits', 'teams')).text;
  const own = (await typeCommand(scene.slack, 'mia', '/limits', 'team')).text;
  const { id: digest } = await setUpDigest(
    scene,
    { where: 'me', channel: null, audience: 'S0WEB', rhythm: 'weekly', sections: ['limits'] },
    'ada',
  );
  const preview = everythingIn(await typeCommand(scene.slack, 'ada', '/digest', `preview ${digest}`));
  for (const text of [teams, own, preview]) expect(amountIn(text, /\*(\d+) M of 300 M granted\*/)).toBe(granted);
});

const tokens = z.object({
  data: z.array(
    z.object({ by_user: z.array(z.object({ user_email: z.string().nullable(), billable_tokens: z.number() })) }),
  ),
});

/** What the members of the web team used, as the platform has it in its own rows. */
async function usedInRows({ first, last }: Period): Promise<number> {
  const address = `${scene.platform.baseUrl}/api/v1/analytics/tokens?startDate=${first}&endDate=${last}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${scene.platform.apiKeys.manager}` } });
  return tokens
    .parse(await response.json())
    .data.flatMap(({ by_user: rows }) => rows)
    .filter(({ user_email: email }) => email?.startsWith('mia.') || email?.startsWith('nora.'))
    .reduce((sum, row) => sum + row.billable_tokens, 0);
}

const threeDigits = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const compact = (amount: number) => threeDigits.format(amount).replace(/(?=[KMB]$)/, ' ');

test('/limits teams, the budget of the same group, the summary and the rows say the same of what its members used', async () => {
  await createTeam(scene);
  const id = await setUpBudget();
  scene.clock.moveTo(new Date('2026-03-12T09:00:00Z'));
  await untilQuiet(scene);
  const used = compact(await usedInRows({ first: '2026-03-01', last: '2026-03-11' }));
  expect(used).toMatch(/^\d/);
  const budget = everythingIn(await typeCommand(scene.slack, 'ada', '/budget', `show ${id}`));
  expect(budget).toContain(`${used} of 30 M credits used, as of Wed 11 Mar`);
  const expected = /On track for ([\d.]+ [KM]) by 31 Mar/.exec(budget)?.[1] ?? '';
  const teams = (await typeCommand(scene.slack, 'ada', '/limits', 'teams')).text;
  expect(teams).toContain(`Used by its members: ${used} as of Wed 11 Mar, ${expected} expected at the end`);
  scene.clock.moveTo(new Date('2026-04-03T12:20:30Z'));
  await untilQuiet(scene);
  const { posts } = await messagesIn(scene, 'dm', 'ada');
  const all = compact(await usedInRows({ first: '2026-03-01', last: '2026-03-31' }));
  expect(posts.map(({ text }) => text).filter((text) => text.includes('📒'))).toEqual([
    expect.stringContaining(`Its members used ${all}.`),
  ]);
});

async function setUpBudget(): Promise<string> {
  await openByCommand(scene.slack, 'ada', '/budget', 'new');
  const values = { credits: '30m', whose: 'S0WEB', where: 'me', channel: null, actual: '50, 80', forecast: '' };
  const done = textOfView(await submitForm(scene.slack, 'ada', formValues(values)));
  const id = /`(\w+)`/.exec(done)?.[1];
  if (id === undefined) throw new Error(`No budget was set up: ${done}`);
  return id;
}
