import { describe, expect, test } from 'vitest';
import { CONTROLS_DEATHS, killWhileWatching } from '../../support/controls-kills.ts';
import { availableEngines } from '../../support/stores/databases.ts';

const KILLS = 30;
const deaths = Array.from({ length: 3 }, () => CONTROLS_DEATHS)
  .flat()
  .slice(0, KILLS);

describe.each(availableEngines())('on %s', (engine) => {
  test(`after ${KILLS} kills while the history is read and notices are posted, each revision was posted once, in order`, async () => {
    const { expected, endings, told } = await killWhileWatching(engine, deaths);
    expect(endings).toEqual(deaths.map(() => 'died'));
    expect(told).toEqual(expected);
  });
});
