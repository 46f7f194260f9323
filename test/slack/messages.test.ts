import { expect, test } from 'vitest';
import { roleSentence } from '../../src/slack/blocks/messages.ts';

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
