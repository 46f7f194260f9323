import { describe, expect, test } from 'vitest';
import { restartWithNewKeys, rotateKeys, sufferPlatformOutages, waitForLateDays } from './platform-outages.ts';
import { interruptSubmissions } from './submissions.ts';

const ROUNDS = Number(process.env['LONG_OUTAGES'] ?? 3);
/** Each of them takes a whole day of the clock or more. */
const DAYS = Math.ceil(ROUNDS / 3);

const reported = <Tally>(title: string, tally: Tally) => {
  process.stdout.write(`${title}: ${JSON.stringify(tally)}\n`);
  return tally;
};

test(`${4 * ROUNDS} approvals before whose acknowledgement Slack or the platform goes out show an error or are carried out once`, async () => {
  const tally = reported('interrupted approvals', await interruptSubmissions(4 * ROUNDS));
  expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [] });
}, 900_000);

describe('a platform', () => {
  test(`that is out for a whole day, ${DAYS} times, costs no digest and leaves no command unanswered`, async () => {
    const tally = reported('outages of the platform', await sufferPlatformOutages(DAYS));
    expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [], unanswered: 0 });
  }, 900_000);

  test(`that publishes a day thirty hours late, ${DAYS} times, delays a digest by six hours and completes it once`, async () => {
    const tally = reported('late days', await waitForLateDays(DAYS));
    expect(tally).toMatchObject({ lost: [], doubled: [], wrong: [], unanswered: 0 });
  }, 900_000);

  test(`that refuses the API key until a restart with a new one, ${ROUNDS} times, costs no digest, no decision and no answer`, async () => {
    const tally = reported('new keys', await restartWithNewKeys(ROUNDS));
    expect(tally).toMatchObject({ lost: [], doubled: [], unanswered: 0, wrong: [] });
  }, 900_000);

  test(`whose API key is refused for hours, ${ROUNDS} times, is reported to the admin once each time, and again when it works`, async () => {
    const tally = reported('rotated keys', await rotateKeys(ROUNDS));
    expect(tally).toMatchObject({ lost: [], doubled: [], refusedTold: ROUNDS, acceptedTold: ROUNDS });
  }, 900_000);
});
