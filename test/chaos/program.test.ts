import { expect, test } from 'vitest';
import { DEATHS, killOnReadOnlyRoot } from '../support/outbox/kill-rounds.ts';
import { sendSecondSignals } from './second-signals.ts';
import { canMount } from '../support/stores/small-disk.ts';

const SIGNALS = Number(process.env['SECOND_SIGNALS'] ?? 10);

test.runIf(canMount())(
  `${DEATHS.length} kills on a read-only root lose and double no digest, and each command after them is answered`,
  async () => {
    const { expected, endings, digests, answers, faults } = await killOnReadOnlyRoot(DEATHS);
    expect(endings).toEqual(DEATHS.map(() => 'died'));
    expect([...digests.keys()].toSorted()).toEqual(expected);
    expect([...digests.values()].map((messages) => messages.length)).toEqual(expected.map(() => 1));
    expect(answers.filter((text) => /[\d.]+ [KM] credits/.test(text))).toHaveLength(DEATHS.length);
    expect(faults).toEqual([]);
  },
);

test(`${SIGNALS} stops by two signals leave no command unanswered, and carry out each approval once`, async () => {
  const tally = await sendSecondSignals(SIGNALS);
  process.stdout.write(`second signals: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ unanswered: [], lost: [], doubled: [], endings: [] });
}, 900_000);
