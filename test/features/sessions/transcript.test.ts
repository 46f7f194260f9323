import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionMessage } from '../../../src/core/platform/endpoints/sessions.ts';
import { piecesOf, textBlock } from '../../../src/features/sessions/rich-text.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { parseSession, wordsOf } from '../../../src/features/sessions/session-command.ts';
import { boundsOf, buildTranscript } from '../../../src/features/sessions/transcript.ts';
import { pageMessage } from '../../../src/features/sessions/views.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';

const message = (id: string, members: Partial<SessionMessage> = {}): SessionMessage => ({
  id,
  content: [{ text: `text of ${id}` }],
  isUserVisible: true,
  ...members,
});

describe('a transcript', () => {
  test('is ordered by time, and by arrival for equal times', () => {
    const { messages: said } = buildTranscript(
      [
        { message: message('c', { createdAt: 3 }), role: 'assistant' },
        { message: message('a', { createdAt: 1 }), role: 'user' },
        { message: message('b1', { createdAt: 2 }), role: 'tool' },
        { message: message('b2', { createdAt: 2 }), role: 'tool' },
      ],
      false,
    );
    expect(said.map(({ id, role }) => `${id} ${role}`)).toEqual(['a user', 'b1 tool', 'b2 tool', 'c assistant']);
  });

  test('shows only what the platform marks as visible', () => {
    const { messages: said, hidden } = buildTranscript(
      [
        { message: message('a'), role: 'user' },
        { message: message('b', { isUserVisible: false }), role: 'tool' },
        { message: message('c', { isUserVisible: null }), role: 'tool' },
      ],
      false,
    );
    expect(said.map(({ id }) => id)).toEqual(['a']);
    expect(hidden).toBe(2);
  });

  test.each([
    ['both', undefined, true],
    ['both', null, true],
    ['both', false, false],
    ['assistant', undefined, false],
    ['assistant', true, true],
    [undefined, undefined, false],
  ])('with visibility %s and isUserVisible %s shows a message: %s', (visibility, isUserVisible, isShown) => {
    const one = { message: message('a', { visibility, isUserVisible }), role: 'user' as const };
    expect(buildTranscript([one], false).messages).toHaveLength(isShown ? 1 : 0);
  });

  test('omits the role of a message that answered several questions', () => {
    const both = [
      { message: message('a'), role: 'user' as const },
      { message: message('a'), role: 'tool' as const },
    ];
    expect(buildTranscript(both, false).messages).toMatchObject([{ id: 'a', role: undefined }]);
  });
});

describe('the pages of a transcript', () => {
  test('lead to each message once, forwards and backwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (messages, size) => {
        const backwards: number[] = [];
        for (let from: number | undefined, turns = 0; turns < 300; turns += 1) {
          const page = boundsOf(messages, from, size);
          for (let at = page.from; at < page.to; at += 1) backwards.push(at);
          if (page.older === undefined) break;
          from = page.older;
        }
        expect(new Set(backwards).size).toBe(messages);
        const forwards: number[] = [];
        for (let from: number | undefined = 0; from !== undefined;) {
          const page: ReturnType<typeof boundsOf> = boundsOf(messages, from, size);
          for (let at = page.from; at < page.to; at += 1) forwards.push(at);
          from = page.newer;
        }
        expect(forwards).toEqual(Array.from({ length: messages }, (_, at) => at));
      }),
    );
  });
});

describe('text of any author', () => {
  test('is shown unchanged; code is shown as code', () => {
    expect(piecesOf('look:\n```ts\nf();\n```\nand <!channel> *bold*')).toEqual([
      { kind: 'text', text: 'look:' },
      { kind: 'code', text: 'f();' },
      { kind: 'text', text: 'and <!channel> *bold*' },
    ]);
  });

  test('can neither mention nor link nor reorder: it is text in rich text, whatever its content', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom(
        '<!channel> <@U1> <https://evil.example|click>',
        '\u202Etxt.exe',
        '```\n<!here>\n```',
        '{"type":"section"}',
        'x'.repeat(40_000),
      ),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (texts) => {
        const said = texts.map((text, index) => ({
          id: `m${index}`,
          role: 'user',
          text,
          at: index,
          isError: index % 2 === 0,
        }));
        const request = { sessionId: 'ses_1', role: undefined, computerId: undefined, from: undefined };
        const { blocks, text } = pageMessage({ messages: said, hidden: 1, isCut: true }, request);
        expect(checkBlocks(blocks, 'message')).toEqual([]);
        expect(mrkdwnOf(text)).not.toMatch(/<[!@h]/);
        const elements = JSON.stringify(blocks.filter((block) => 'type' in block && block.type === 'rich_text'));
        expect(elements).not.toMatch(/"type":"(user|broadcast|link|usergroup|channel)"/);
        expect(elements).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  test('that is long is folded, and marked as such', () => {
    expect(textBlock('x'.repeat(50), 20).isFolded).toBe(true);
    expect(textBlock('short', 20).isFolded).toBe(false);
    expect(textBlock('a\n```\nlong code\n```', 5).isFolded).toBe(true);
  });
});

describe('the words after /session', () => {
  test.each([['..'], ['a/b'], ['a b/..'], ['x'.repeat(2_000)], ['%2e%2e'], ['a\\b'], ['ses_1..']])(
    'that are no id are refused: %s',
    (id) => {
      expect(parseSession([id])).toMatchObject({ kind: 'misunderstood' });
      expect(parseSession(['ses_1', 'computer', id])).toMatchObject({ kind: 'misunderstood' });
    },
  );

  test('name a role and a computer, and buttons request the same again', () => {
    const parsed = parseSession(['ses_1', 'USER', 'computer', 'computer_7', 'from:20']);
    const request = { sessionId: 'ses_1', role: 'user', computerId: 'computer_7', from: 20 } as const;
    expect(parsed).toEqual({ kind: 'run', request });
    expect(parseSession(wordsOf(request).split(' '))).toEqual(parsed);
  });

  test('that are nearly right are corrected', () => {
    expect(parseSession(['ses_1', 'asistant'])).toMatchObject({ corrected: 'ses_1 assistant' });
    expect(parseSession([])).toMatchObject({ kind: 'misunderstood' });
  });
});
