import { expect, test } from 'vitest';
import { personName } from '../../../src/core/figures/measures/sentences.ts';
import { NAMING } from '../../support/slack/readers.ts';

const unknown = { email: undefined, userId: 'u7' };

test('a person is shown by their name in the workspace, else by their e-mail, else by their id', () => {
  const mia = { email: 'mia@acme.example', userId: 'u1' };
  expect(personName({ ...mia, name: 'Mia Chen' }, NAMING)).toBe('Mia Chen');
  expect(personName(mia, NAMING)).toBe('mia@acme.example');
  expect(personName(unknown, NAMING)).toBe('unknown e-mail (u7)');
});
