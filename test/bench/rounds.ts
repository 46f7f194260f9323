import { countAnswers } from './answers.ts';
import { KEPT_ACTION, type Contestant } from './contestants.ts';
import { median, percentile } from './statistics.ts';

export interface Measured {
  p50Ms: number;
  p99Ms: number;
}

export interface Comparison {
  bot: Measured;
  bare: Measured;
}

/** The action that people perform all at once. */
export type Act = 'command' | 'click';

/** One round: this number at once; waits until all of them are answered, so that none reaches into the next round. */
export async function measureAtOnce(
  { slack, answers, buttonTs }: Contestant,
  act: Act,
  count: number,
): Promise<Measured> {
  const seen = countAnswers(slack);
  const deliveries = await Promise.all(
    Array.from({ length: count }, () =>
      act === 'command'
        ? slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' })
        : slack.control.click({
            as: 'morgan',
            source: { in: 'message', channel: 'agent-usage', ts: buttonTs },
            actionId: KEPT_ACTION,
          }),
    ),
  );
  if (answers) await seen.reach(count);
  seen.stop();
  const acknowledgedMs = deliveries.map(({ ackMs, error }) => {
    if (ackMs === null) throw new Error(`Something was not acknowledged: ${error}`);
    return ackMs;
  });
  return { p50Ms: percentile(acknowledgedMs, 0.5), p99Ms: percentile(acknowledgedMs, 0.99) };
}

/**
 * Measures both in turns, so that other load of the machine affects both alike.
 * @returns the medians over the rounds
 */
export async function compare(
  contestants: { bot: Contestant; bare: Contestant },
  { rounds, warmUpRounds }: { rounds: number; warmUpRounds: number },
  measureRound: (contestant: Contestant) => Promise<Measured>,
): Promise<Comparison> {
  const measured: { bot: Measured[]; bare: Measured[] } = { bot: [], bare: [] };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const order = round % 2 === 0 ? (['bot', 'bare'] as const) : (['bare', 'bot'] as const);
    for (const name of order) {
      const result = await measureRound(contestants[name]);
      if (round >= warmUpRounds) measured[name].push(result);
    }
  }
  return { bot: medianOf(measured.bot), bare: medianOf(measured.bare) };
}

export function medianOf(rounds: readonly Measured[]): Measured {
  return { p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)), p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)) };
}
