import { expect, test } from 'vitest';
import { mrkdwnOf } from '../../src/base/text/markup.ts';
import { roleRefusal, roleSentence } from '../../src/slack/blocks/messages.ts';

test('a refusal says for whom something is, and what to do instead', () => {
  expect(roleSentence('/digest', 'manager')).toBe(
    '/digest is for managers and admins of Quartermaster. Ask one of them.',
  );
  expect(roleSentence('Figures of single people', 'admin', { verb: 'are', instead: 'Choose a group.' })).toBe(
    'Figures of single people are for admins of Quartermaster. Choose a group.',
  );
  expect(roleSentence('/session', 'nobody')).toBe(
    '/session is switched off here. The operator of Quartermaster can switch it on.',
  );
});

test.each([
  [['U0ADA', 'U0MAX', 'U0NORA'], '/digest is for managers and admins of Quartermaster. Ask <@U0ADA> or <@U0MAX>.'],
  [['U0ADA'], '/digest is for managers and admins of Quartermaster. Ask <@U0ADA>.'],
  [[], '/digest is for managers and admins of Quartermaster. Ask one of them.'],
])('a refusal names at most two admins of %j', (admins, sentence) => {
  expect(mrkdwnOf(roleRefusal({ what: '/digest', role: 'manager' }, admins).text)).toBe(sentence);
});
