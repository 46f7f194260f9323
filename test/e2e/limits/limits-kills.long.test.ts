import { expect, test } from 'vitest';
import { killBetweenClickAndCard, LIMIT_DEATHS, roundsAsPromised } from '../../support/limits/limit-kills.ts';
import {
  killBetweenQuestionAndThread,
  QUESTION_DEATHS,
  questionsAsPromised,
} from '../../support/limits/question-kills.ts';
import { killWhileLowering, LOWERING_DEATHS, loweringsAsPromised } from '../../support/limits/lower-kills.ts';
import { raceAdmins } from '../../support/limits/limit-races.ts';

const SOME = new Set(['limits:after_decision', 'limits:before_put', 'limits:after_put']);

test('a bot that is killed while it sets a limit leaves it set once, announced once and shown correctly', async () => {
  const deaths = LIMIT_DEATHS.filter(({ at }) => SOME.has(at));
  expect(await killBetweenClickAndCard('sqlite', deaths)).toEqual(roundsAsPromised(deaths));
}, 180_000);

test('a bot that is killed between a question and its answer in the thread leaves each there once', async () => {
  const deaths = QUESTION_DEATHS.filter(({ at, lost }) => at === 'outbox:after_post' && lost);
  expect(await killBetweenQuestionAndThread('sqlite', deaths)).toEqual(questionsAsPromised(deaths));
}, 180_000);

test('a bot that is killed while a lead lowers a pool leaves it lowered once, with one message to each admin and lead', async () => {
  const deaths = LOWERING_DEATHS.filter((at) => at === 'limits:in_lowering' || at === 'limits:after_lowering');
  expect(await killWhileLowering('sqlite', deaths)).toEqual(loweringsAsPromised(deaths));
}, 180_000);

test('of ten admins who approve at the same moment, with two replicas, one wins and nine are notified', async () => {
  expect(await raceAdmins('sqlite', 2)).toEqual([
    { puts: 1, winners: 1, told: 9, value: 100, asked: 100 },
    { puts: 1, winners: 1, told: 9, value: 101, asked: 101 },
  ]);
}, 180_000);
