import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUpDigest } from '../../support/digests.ts';
import { cardOf, untilState } from '../../support/limits/limits.ts';
import { approve, createTeam, requestOfMia, startTeamApp } from '../../support/limits/teams.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
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
