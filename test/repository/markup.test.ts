import { describe, expect, test } from 'vitest';
import { typeScriptFiles } from './parsing/sources.ts';

/** Builders of blocks, and senders of messages: only they need the characters that are sent to Slack. */
const MAY_SEE_CHARACTERS = new Set([
  'src/ask/answers/captured-answer.ts',
  'src/slack/outbound/admin-notice.ts',
  'src/slack/blocks/blocks.ts',
  'src/slack/outbound/files.ts',
  'src/slack/blocks/inputs.ts',
  'src/slack/outbound/poster.ts',
  'src/slack/inbound/messages/message-reply.ts',
  'src/slack/inbound/reply.ts',
  'src/base/text/markup.ts',
]);

const files = typeScriptFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));

describe('text for Slack', () => {
  test('is read as characters only in files that build blocks or send', () => {
    const seeing = files.filter(({ text }) => /\bmrkdwnOf\b/.test(text)).map(({ path }) => path);
    expect(seeing.filter((path) => !MAY_SEE_CHARACTERS.has(path))).toEqual([]);
  });

  test('is made safe in one file: no other names its class or a raw mrkdwn object', () => {
    const making = files.filter(({ text }) => /new Markup\b|type: 'mrkdwn'/.test(text)).map(({ path }) => path);
    expect(making).toEqual(['src/base/text/markup.ts', 'src/slack/blocks/blocks.ts']);
  });
});
