import { expect, test } from 'vitest';
import { markup, mention, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { roleRefusal, roleSentence } from '../../../src/core/slack/blocks/messages.ts';

const said = (why: Parameters<typeof roleRefusal>[0]) => mrkdwnOf(roleRefusal(why, ['U0ADA']).text);

test('a refusal names the required role and an alternative', () => {
  expect(roleSentence({ what: '/digest', role: 'manager' })).toBe(
    '/digest is for managers and admins of Quartermaster.',
  );
  expect(said({ what: 'Figures of single people', role: 'admin', verb: 'are', or: 'choose a group' })).toBe(
    'Figures of single people are for admins of Quartermaster. Ask <@U0ADA>, or choose a group.',
  );
  expect(said({ owner: markup`${mention('U0MIA')}, who asked`, action: markup`withdraw it`, role: 'admin' })).toBe(
    'Only <@U0MIA>, who asked, or an admin can withdraw it. Ask <@U0ADA>.',
  );
  expect(said({ what: '/session', role: 'nobody' })).toBe(
    '/session is switched off here. The server operator of Quartermaster can switch it on.',
  );
});

test.each([
  [['U0ADA', 'U0MAX', 'U0NORA'], '/digest is for managers and admins of Quartermaster. Ask <@U0ADA> or <@U0MAX>.'],
  [['U0ADA'], '/digest is for managers and admins of Quartermaster. Ask <@U0ADA>.'],
  [[], '/digest is for managers and admins of Quartermaster. Ask one of them.'],
])('a refusal names at most two admins of %j', (admins, sentence) => {
  expect(mrkdwnOf(roleRefusal({ what: '/digest', role: 'manager' }, admins).text)).toBe(sentence);
});
