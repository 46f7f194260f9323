import { afterEach, expect, test } from 'vitest';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import { predict } from '../../support/prediction.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const ATTACKER = 'mia.member@acme.example';
const RANGE = /Most people used \d+(?: [KM])?–\d+ [KM] in the week of Mon 16 Mar\./;

let scene: TestApp;
afterEach(() => scene.close());

async function openWithGroup(othersInGroup: number, settings: Record<string, string>) {
  scene = await startTestApp({ at: new Date('2026-03-24T09:00:00Z'), settings });
  const others = scene.platform.organization.people
    .flatMap(({ email }) => email ?? [])
    .filter((email) => email !== ATTACKER)
    .slice(0, othersInGroup);
  for (const email of others) {
    if (scene.slack.workspace.findPerson(email)) continue;
    const handle = email.split('@')[0] ?? email;
    await scene.slack.control.addPerson({ handle, name: handle, email });
  }
  await scene.slack.control.setUserGroup({ handle: 'mine', members: [ATTACKER, ...others] });
}

/** Each amount of a person in the last four weeks, as it would be shown. */
function amountsOfOthers(): Set<string> {
  const weeks = [0, 1, 2, 3].map((count) => plusDays('2026-03-17', -7 * count));
  return new Set(
    weeks.flatMap((first) =>
      [...predict(scene.platform.organization, { first, last: plusDays(first, 6) }).people]
        .filter(([key]) => key !== ATTACKER)
        .map(([, amount]) => formatCompact(amount)),
    ),
  );
}

test.each([
  [5, {}],
  [1, { MIN_GROUP: '1' }],
  [2, { MIN_GROUP: '1' }],
])('a member who creates a user group with %d others learns no figure of it, %j', async (others, settings) => {
  await openWithGroup(others, settings);
  const { text } = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  const [, after = ''] = text.split('Your last 4 weeks, oldest first: ');
  const [, ...aboutOthers] = after.split('\n');
  const shown = aboutOthers.join('\n');
  expect(shown).toMatch(RANGE);
  expect(text).not.toContain('@mine');
  const amounts = shown.match(/\d+(?:\.\d+)?(?: [KM])?/g) ?? [];
  expect(amounts.filter((amount) => amountsOfOthers().has(amount))).toEqual([]);
});
