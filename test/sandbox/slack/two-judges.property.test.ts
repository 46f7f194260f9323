/** The bot's rules and those of the simulated Slack were written apart. Where they differ, Slack's reference decides. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBlocks, checkView, type Violation } from '../../../src/core/slack/blocks/rules/index.ts';
import { isJson } from '../../../src/sandbox/json.ts';
import {
  blockFaults,
  isTextTooLong,
  isViewTooLarge,
  viewFaults,
} from '../../../src/sandbox/slack/reference/payload.ts';
import { propertyRuns, shareOf } from '../../support/property-runs.ts';
import { everySmallChange, payload, valid, type Payload } from './near-valid.ts';

/** The pointers at which the simulated Slack refuses a payload. */
function refusedBySlack({ surface, body }: Payload): string[] {
  if (surface !== 'message') {
    if (!isJson(body)) return [''];
    return [...viewFaults(body).map(({ pointer }) => pointer), ...(isViewTooLarge(body) ? [''] : [])];
  }
  if (!Array.isArray(body)) return ['/blocks'];
  return [...blockFaults(body, surface).map(({ pointer }) => pointer), ...(isTextTooLong(body) ? ['/blocks'] : [])];
}

const refusedByBot = ({ surface, body }: Payload): Violation[] =>
  surface === 'message' ? checkBlocks(body, surface) : checkView(body);

/** Where the bot refuses on purpose what Slack takes. */
const STRICTER: readonly { reason: string; covers: (violation: Violation) => boolean }[] = [
  {
    reason: 'The bot sends none of these.',
    covers: ({ code, message }) =>
      code === 'unknown_key' ||
      /^unsupported type: (?:image|markdown|overflow|number_input|users_select|datepicker)$/.test(message),
  },
  {
    reason:
      'The bot puts no other type beside a section, into a row of buttons or a cell, or into the text of an option.',
    covers: ({ pointer }) =>
      /\/(?:accessory|elements\/\d+|rows\/\d+\/\d+|(?:options\/\d+|initial_option(?:s\/\d+)?)\/text)\/type$/.test(
        pointer,
      ),
  },
  {
    reason: 'The page of options allows values of 150 characters, `@slack/types` 75: the bot keeps to both.',
    covers: ({ pointer, message }) =>
      /\/(?:options\/\d+|initial_option|initial_options\/\d+)\/value$/.test(pointer) && message.includes('76'),
  },
  {
    reason: 'A field takes at most 3,000 characters, so nobody could submit a longer initial value.',
    covers: ({ pointer, message }) => pointer.endsWith('/element/initial_value') && message.includes('3001'),
  },
];

/** Returns in what the bot and the simulated Slack differ about a payload; undefined if they agree. */
function disagreement(sent: Payload): { bot: Violation[]; slack: string[] } | undefined {
  const bot = refusedByBot(sent);
  const slack = refusedBySlack(sent);
  const unintended = bot.filter((violation) => !STRICTER.some(({ covers }) => covers(violation)));
  if (bot.length === 0) return slack.length === 0 ? undefined : { bot, slack };
  if (unintended.length === 0) return undefined;
  // One fault can hide others from either judge, but never all of them.
  return bot.some(({ pointer }) => slack.includes(pointer)) ? undefined : { bot: unintended, slack };
}

describe('messages and views are judged alike by the bot and by the simulated Slack', () => {
  test('that Slack takes', () => {
    const property = fc.property(valid, (sent) => {
      expect({ bot: refusedByBot(sent), slack: refusedBySlack(sent) }).toEqual({ bot: [], slack: [] });
    });
    fc.assert(property, { numRuns: propertyRuns(2_000) });
  });

  test('in which one place is changed: each kind of place, and each change of it', () => {
    const differences = shareOf(everySmallChange()).flatMap((change) => disagreement(change()) ?? []);
    expect(differences).toEqual([]);
  });

  test('at the border of what Slack takes', () => {
    const property = fc.property(payload, (sent) => {
      expect(disagreement(sent)).toBeUndefined();
    });
    fc.assert(property, { numRuns: propertyRuns(10_000) });
  });
});
