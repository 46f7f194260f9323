import { expect, test } from 'vitest';
import { finishButton } from '../../../src/core/slack/interactions/destination-form.ts';

const idOf = (index: number) => `U${String(index).padStart(10, '0')}`;
const people = Array.from({ length: 100 }, (_, index) => idOf(index));

const keptIn = ({ value }: ReturnType<typeof finishButton>) => JSON.parse(typeof value === 'string' ? value : '');

test('a kept form fits into its button with a hundred people', () => {
  const draft = { where: 'channel', channel: 'C0123456789', people, name: 'x'.repeat(60) };
  expect(keptIn(finishButton('digest_finish', draft))).toEqual(draft);
});

test('if long texts leave no room for the people, the texts are kept', () => {
  const draft = { where: 'channel', channel: 'C0123456789', people, name: '"'.repeat(400) };
  expect(keptIn(finishButton('budget_finish', draft))).toEqual({ ...draft, people: [] });
});
