import { expect, test } from 'vitest';
import { dayNumber } from '../../../src/sandbox/platform/model/calendar.ts';
import { foldDay } from '../../../src/sandbox/platform/model/day-figures.ts';
import { createOrganization } from '../../../src/sandbox/platform/model/organization.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp } from '../../support/test-app.ts';

// Other tests rely on the generator, and write numbers as the bot does: these figures were written down once, by hand.
const ORGANIZATION = { seed: 1, people: 3 };

test('the generator gives three people the literal credits of 26 February 2026', () => {
  const { tokens } = foldDay(createOrganization(ORGANIZATION), dayNumber('2026-02-26'), 1);
  expect(tokens.by_user.map(({ user_email, billable_tokens }) => [user_email, billable_tokens])).toEqual([
    ['morgan.manager@acme.example', 192_109],
    ['mia.member@acme.example', 34_349],
    ['ada.admin@acme.example', 95_669],
  ]);
  expect(tokens.billable_tokens).toBe(322_127);
});

test('/usage credits of that day shows 322 K, as people write it', async () => {
  const scene = await startTestApp({ platform: ORGANIZATION });
  const answer = await typeCommand(scene.slack, 'morgan', '/usage', 'credits 2026-02-26');
  expect(answer.text.split('\n').slice(0, 5)).toEqual([
    'Credits, Thu 26 Feb',
    '322 K credits, 6% more than on Thu 19 Feb (304 K).',
    '107 K a day for each active person.',
    'By model: atlas-large: 160 K (50%, up 183%); boreal-2: 86.2 K (27%, down 18%); atlas-large-thinking: 43.8 K (14%, down 69%); atlas-small: 32.3 K (10%, was none).',
    'By tier: standard: 278 K (86%, up 72%); thinking: 43.8 K (14%, down 69%).',
  ]);
  const mia = await typeCommand(scene.slack, 'morgan', '/usage', '2026-02-26 @mia');
  expect(mia.text).toContain('34.3 K credits');
  expect(mia.text).toContain('11% of the organization’s credits');
  await scene.close();
});
