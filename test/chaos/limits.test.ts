import { describe, expect, test } from 'vitest';
import { availableEngines } from '../support/stores/databases.ts';
import { killBetweenClickAndCard, LIMIT_DEATHS, roundsAsPromised } from '../support/limits/limit-kills.ts';
import {
  killBetweenQuestionAndThread,
  QUESTION_DEATHS,
  questionsAsPromised,
} from '../support/limits/question-kills.ts';
import { killWhileLowering, LOWERING_DEATHS, loweringsAsPromised } from '../support/limits/lower-kills.ts';
import { raceAdmins } from '../support/limits/limit-races.ts';

const RACES = 50;
const LOWERINGS = Number(process.env['LOWERINGS'] ?? 2 * LOWERING_DEATHS.length);
const deaths = [...LIMIT_DEATHS, ...LIMIT_DEATHS];

describe.each(availableEngines())('on %s', (engine) => {
  test(`ten admins approve at the same moment, ${RACES} times, with two replicas: one PUT, one winner, nine notified`, async () => {
    const rounds = await raceAdmins(engine, RACES);
    expect(rounds).toHaveLength(RACES);
    expect(rounds.filter(({ puts, winners, told }) => puts !== 1 || winners !== 1 || told !== 9)).toEqual([]);
    expect(rounds.filter(({ value, asked }) => value !== asked)).toEqual([]);
  }, 900_000);

  test(`after ${deaths.length} kills between the click and the card each limit is set once, announced once and shown correctly`, async () => {
    expect(await killBetweenClickAndCard(engine, deaths)).toEqual(roundsAsPromised(deaths));
  }, 900_000);

  test(`after ${2 * QUESTION_DEATHS.length} kills each question reaches the requester once, and each answer reaches the thread once`, async () => {
    expect(await killBetweenQuestionAndThread(engine, QUESTION_DEATHS)).toEqual(questionsAsPromised(QUESTION_DEATHS));
  }, 900_000);

  test(`after ${LOWERINGS} kills while a lead lowers a pool it is lowered once, and each admin and lead is told once`, async () => {
    const chosen = Array.from({ length: LOWERINGS }, (_, index) => LOWERING_DEATHS[index % LOWERING_DEATHS.length]);
    const deaths = chosen.flatMap((at) => at ?? []);
    expect(await killWhileLowering(engine, deaths)).toEqual(loweringsAsPromised(deaths));
  }, 900_000);
});
