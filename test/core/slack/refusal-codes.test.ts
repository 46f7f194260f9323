import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import type { Poster } from '../../../src/core/outbox/poster.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { refusalSentence } from '../../../src/core/slack/client/errors.ts';
import { createChannels } from '../../../src/core/slack/outbound/channels/channels.ts';
import { createChartSupport } from '../../../src/core/slack/outbound/safe-message.ts';
import { createPoster } from '../../../src/core/slack/outbound/poster.ts';
import {
  FINAL_INFO_ERRORS,
  FINAL_OPEN_ERRORS,
  FINAL_UPDATE_ERRORS,
  INVENTED_ERRORS,
  PASSING_UPDATE_ERRORS,
  POST_MESSAGE_ERRORS,
} from '../../support/slack/post-message-errors.ts';

const log = createLogger('fatal', []);
const MESSAGE = { text: markup`digest` };
const PASSING = [...POST_MESSAGE_ERRORS.passing, ...INVENTED_ERRORS];

let slack: SandboxSlack;
let clock: MovableClock;
let poster: Poster;
beforeEach(async () => {
  clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  slack = await startSlack({ clock });
  const clients = createSlackClients(slack.botToken, slack.apiUrl, log);
  poster = createPoster({
    ...clients,
    botUserId: 'U0QUARTERMASTER',
    charts: createChartSupport(clock),
    channels: createChannels({ ...clients, clock, allowShared: false }),
    log,
  });
});
afterEach(async () => {
  await slack.close();
  clock.dispose();
});

const METHODS = {
  'chat.postMessage': () => poster.post('C0USAGE', 'key', MESSAGE),
  'chat.update': () => poster.edit({ channel: 'C0USAGE', ts: '1.1' }, MESSAGE),
  'conversations.open': () => poster.open('U0MIA'),
  'conversations.info': () => poster.open('C0USAGE'),
};

/** The outcomes of some codes, as answers of a method. */
async function outcomesOf(method: keyof typeof METHODS, codes: readonly string[]) {
  const outcomes = [];
  for (const code of codes) {
    await slack.control.clearFaults({});
    await slack.control.addFault({ method, kind: 'error', error: code });
    outcomes.push({ of: code, ...(await METHODS[method]()) });
  }
  return outcomes;
}

const growing = (code: string) => ({ of: code, kind: 'later', reason: refusalSentence(code) });
const final = (code: string) => ({ of: code, kind: 'refused', code, reason: refusalSentence(code) });

describe('a refused post', () => {
  test('is final for a closed list of codes about the place or the message', async () => {
    const codes = POST_MESSAGE_ERRORS.final;
    expect(await outcomesOf('chat.postMessage', codes)).toEqual(codes.map(final));
  });

  test('is retried with growing pauses for every other code, known or unknown', async () => {
    expect(await outcomesOf('chat.postMessage', PASSING)).toEqual(PASSING.map(growing));
  });

  test('is retried with growing pauses if the installation is at fault: an operator may repair it at once', async () => {
    const codes = POST_MESSAGE_ERRORS.installation;
    expect(await outcomesOf('chat.postMessage', codes)).toEqual(codes.map(growing));
  });

  test('waits as long as Slack asks, and is searched for if it may be half done', async () => {
    const limited = await outcomesOf('chat.postMessage', POST_MESSAGE_ERRORS.rateLimited);
    for (const one of limited) expect(one).toMatchObject({ kind: 'later', askedMs: 30_000, isForChannel: true });
    const unknown = await outcomesOf('chat.postMessage', POST_MESSAGE_ERRORS.unknown);
    for (const one of unknown) expect(one).toMatchObject({ kind: 'unknown' });
  });

  test('has a sentence for every code', () => {
    for (const code of [...Object.values(POST_MESSAGE_ERRORS).flat(), ...INVENTED_ERRORS])
      expect(refusalSentence(code)).toMatch(/^[A-Z].*\.$/);
  });
});

test.each([
  ['chat.update', FINAL_UPDATE_ERRORS, PASSING_UPDATE_ERRORS],
  // An account that Slack does not show now may appear again.
  [
    'conversations.open',
    FINAL_OPEN_ERRORS,
    ['no_permission', 'not_enough_users', 'user_not_found', 'user_not_visible'],
  ],
  ['conversations.info', FINAL_INFO_ERRORS, ['access_denied']],
] as const)('%s has the same list of final codes', async (method, finalCodes, passingCodes) => {
  expect(await outcomesOf(method, finalCodes)).toEqual(finalCodes.map(final));
  const codes = [...passingCodes, 'team_added_to_org', 'restricted_action', ...INVENTED_ERRORS];
  expect(await outcomesOf(method, codes)).toEqual(codes.map(growing));
  const { installation } = POST_MESSAGE_ERRORS;
  expect(await outcomesOf(method, installation)).toEqual(installation.map(growing));
});
