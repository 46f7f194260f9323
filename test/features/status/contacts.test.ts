import { expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { statusMessage } from '../../../src/features/status/status-view.ts';

test('of many admins, a member sees the first five and the number of the others', () => {
  const admins = Array.from({ length: 8 }, (_, index) => `U${index}`);
  const contacts = { admins, managers: [] };
  const { text } = statusMessage({ version: '1.0.0', role: 'member', commands: [], contacts });
  expect(mrkdwnOf(text)).toContain('Admins: <@U0>, <@U1>, <@U2>, <@U3>, <@U4> and 3 more\n');
  expect(mrkdwnOf(text)).not.toContain('Managers');
});
