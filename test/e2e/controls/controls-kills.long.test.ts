import { expect, test } from 'vitest';
import { CONTROLS_DEATHS, killWhileWatching } from '../../support/controls-kills.ts';

/** The steps between reading, planning and posting. */
const SHORT = CONTROLS_DEATHS.filter(({ at, answerLost }) => /after_page|in_move|after_move/.test(at) || answerLost);

test('a bot that is killed while it reads or posts leaves each revision reported once, in order', async () => {
  const { expected, endings, told } = await killWhileWatching('sqlite', SHORT);
  expect(endings).toEqual(SHORT.map(() => 'died'));
  expect(told).toEqual(expected);
}, 120_000);
