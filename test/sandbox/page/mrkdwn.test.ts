import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, type Inline, type TextBlock } from '../../../src/sandbox/page/browser/text/inline.ts';
import { parseInlineMrkdwn, parseMrkdwn } from '../../../src/sandbox/page/browser/text/mrkdwn.ts';
import { readRichText } from '../../../src/sandbox/page/browser/text/rich-text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A short way to write a tree: `b(text)`, `link(url|text)`. */
function sketch(nodes: readonly Inline[]): string {
  return nodes.map((node) => sketchOf(node)).join('');
}

const shortNames: Record<string, string> = { bold: 'b', italic: 'i', strike: 's' };

function sketchOf(node: Inline): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return '⏎';
    case 'code':
      return `code(${node.text})`;
    case 'link':
      return `link(${node.url}|${sketch(node.children)})`;
    case 'bold':
    case 'italic':
    case 'strike':
      return `${shortNames[node.kind] ?? node.kind}(${sketch(node.children)})`;
    case 'emoji':
      return `emoji(${node.name})`;
    case 'broadcast':
      return `all(${node.range})`;
    case 'date':
      return `date(${node.epochSeconds}|${node.format}|${node.url}|${node.fallback})`;
    case 'user':
    case 'channel':
    case 'group':
      return `${node.kind}(${node.id}|${node.label})`;
    default:
      return node satisfies never;
  }
}

const sketchBlocks = (blocks: readonly TextBlock[]) =>
  blocks.map((block) =>
    block.kind === 'preformatted' ? `pre(${block.text})` : `${block.kind[0]}[${sketch(block.children)}]`,
  );

function nodesIn(nodes: readonly Inline[]): Inline[] {
  return nodes.flatMap((node) => ('children' in node ? [node, ...nodesIn(node.children)] : [node]));
}

describe("Slack's mrkdwn", () => {
  test.each([
    ['*bold* and _italic_ and ~gone~', 'b(bold) and i(italic) and s(gone)'],
    ['*_both_*', 'b(i(both))'],
    ['_*~all~*_', 'i(b(s(all)))'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['* not bold*', '* not bold*'],
    ['*not bold *', '*not bold *'],
    ['*907*up', '*907*up'],
    ['(*907*)', '(b(907))'],
    ['**', '**'],
    ['*a\nb*', '*a⏎b*'],
    ['`*code* &lt;b&gt;`', 'code(*code* <b>)'],
    ['*a `*` b*', 'b(a code(*) b)'],
    ['`', '`'],
    ['a &amp;lt; b', 'a &lt; b'],
    ['<https://example.com/?a=1&amp;b=2|a *label*>', 'link(https://example.com/?a=1&b=2|a *label*)'],
    ['<https://example.com>', 'link(https://example.com|https://example.com)'],
    ['<mailto:a@example.com|mail>', 'link(mailto:a@example.com|mail)'],
    ['see https://example.com/a_b_c.', 'see link(https://example.com/a_b_c|https://example.com/a_b_c).'],
    ['<javascript:alert(1)|click>', '<javascript:alert(1)|click>'],
    ['<data:text/html,x>', '<data:text/html,x>'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['<@U0MIA> <@U0MIA|mia>', 'user(U0MIA|null) user(U0MIA|mia)'],
    ['<#C0USAGE|agent-usage>', 'channel(C0USAGE|agent-usage)'],
    ['<!subteam^S0LEADS|@leads>', 'group(S0LEADS|@leads)'],
    ['<!here> <!channel|channel> <!everyone>', 'all(here) all(channel) all(everyone)'],
    ['<!unknown|shown>', 'shown'],
    ['<!date^1392734382^{date_num} {time}|soon>', 'date(1392734382|{date_num} {time}|null|soon)'],
    ['<!date^12^{date}^https://example.com|x>', 'date(12|{date}|https://example.com|x)'],
    ['<!date^12^{date}^javascript:alert(1)|x>', 'date(12|{date}|null|x)'],
    ['<!date^never^{date}|soon>', 'soon'],
    [':tada: :not a name: 10:30:15', 'emoji(tada) :not a name: 10:30:15'],
    ['*:wave: hi*', 'b(emoji(wave) hi)'],
  ])('is parsed: %s', (source, expected) => {
    expect(sketch(parseInlineMrkdwn(source))).toBe(expected);
  });

  test.each([
    ['one\ntwo', ['p[one⏎two]']],
    ['&gt; quoted\n&gt; on\nafter', ['q[quoted⏎on]', 'p[after]']],
    ['&gt;&gt;&gt; all\nthe rest', ['q[all⏎the rest]']],
    ['before\n```\nconst a = 1 &lt; 2;\n*b*\n```\nafter', ['p[before]', 'pre(const a = 1 < 2;\n*b*)', 'p[after]']],
    ['```never closed', ['p[```never closed]']],
    ['``````', ['p[``````]']],
    ['', []],
  ])('%j becomes %j', (source, expected) => {
    expect(sketchBlocks(parseMrkdwn(source))).toEqual(expected);
  });

  test('leaves bare addresses alone if that is configured', () => {
    expect(sketch(parseInlineMrkdwn('https://example.com', { verbatim: true }))).toBe('https://example.com');
  });

  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          '*',
          '_',
          '~',
          '`',
          '```',
          '<',
          '>',
          '&',
          '&lt;',
          '|',
          '!',
          '@',
          '#',
          ':',
          'a',
          ' ',
          '\n',
          'https://x.y',
          'javascript:a',
          '^',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  );

  test('creates only links that are safe to click, whatever the text', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const links = parseMrkdwn(source)
          .flatMap((block) => (block.kind === 'preformatted' ? [] : nodesIn(block.children)))
          .flatMap((node) => ('url' in node && node.url !== null ? [node.url] : []));
        for (const url of links) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(new URL(url).protocol);
      }),
    );
  });

  test('turns escaped text into neither a mention nor a link', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const nodes = nodesIn(parseInlineMrkdwn(escapeSlack(text), { verbatim: true }));
        const kinds = new Set(nodes.map(({ kind }) => kind));
        for (const kind of ['user', 'channel', 'group', 'broadcast', 'date', 'link'] as const)
          expect(kinds).not.toContain(kind);
      }),
    );
  });

  test('shows escaped text unchanged, except for the marks of formatting', () => {
    const withoutMarks = fc
      .string({ unit: anyCharacter, maxLength: 200 })
      .map((text) => text.replaceAll(/[*_~`:\n]/g, ''));
    fc.assert(
      fc.property(withoutMarks, (text) => {
        expect(plainText(parseInlineMrkdwn(escapeSlack(text), { verbatim: true }))).toBe(text);
      }),
    );
  });

  test.each(['*a ', '*_~', '<', '`', ':', '<!date^', 'https://x.y/....', '*a* ', '_*'])(
    'reads 40,000 characters of %j in no time',
    (piece) => {
      const startedMs = performance.now();
      parseMrkdwn(piece.repeat(Math.ceil(40_000 / piece.length)));
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    },
  );
});

describe('rich text', () => {
  const text = (words: string) => ({ type: 'text', text: words });

  test('shows marks in its text as text, in sections and preformatted lines', () => {
    const elements = [
      { type: 'rich_text_section', elements: [text('*stars* <b> '), text('<@U1>\n:wave:')] },
      { type: 'rich_text_preformatted', elements: [text('p\nq')] },
    ];
    const parts = readRichText({ elements });
    expect(parts.map((part) => part.kind === 'section' && sketch(part.children))).toEqual([
      '*stars* <b> <@U1>⏎:wave:',
      false,
    ]);
    expect(parts[1]).toEqual({ kind: 'preformatted', text: 'p\nq' });
  });

  test('names an unknown element', () => {
    const elements = [
      { type: 'rich_text_poem' },
      { type: 'rich_text_section', elements: [text('see '), { type: 'link', url: 'https://example.com' }] },
    ];
    expect(readRichText({ elements })).toEqual([
      { kind: 'unknown', type: 'rich_text_poem' },
      { kind: 'unknown', type: 'link' },
    ]);
  });
});
