import { expect, inject, test } from 'vitest';
import { HOOK_DEATHS, killBetweenEventAndCard } from '../../support/hooks/hook-kills.ts';
import { areBotsInProcess } from '../../support/processes/bot-in-process.ts';

const DAILY = new Set(['outbox:before_post', 'outbox:after_post']);

test.each(inject('engines'))(
  'on %s, a bot that is killed after it took an event leaves one card that says what is so',
  async (engine) => {
    const deaths = HOOK_DEATHS.filter(({ at, lost }) => !areBotsInProcess() || (DAILY.has(at) && !lost));
    const rounds = await killBetweenEventAndCard(engine, deaths);
    expect(rounds).toEqual(deaths.map(({ at }) => ({ at, ending: 'died', cards: 1 })));
  },
  180_000,
);
