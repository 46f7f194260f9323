import { expect, test } from 'vitest';
import { sufferSlackOutages } from './slack-outages.ts';

const ROUNDS = Number(process.env['LONG_OUTAGES'] ?? 3);

test(`${ROUNDS} outages of Slack of up to four hours lose and duplicate no digest and no request`, async () => {
  const tally = await sufferSlackOutages(ROUNDS);
  process.stdout.write(`outages of Slack: ${JSON.stringify(tally)}\n`);
  expect(tally).toMatchObject({ lost: [], doubled: [], failed: [], unanswered: 0 });
}, 900_000);
