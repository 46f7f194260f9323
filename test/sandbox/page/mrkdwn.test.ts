import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, type Inline, type TextBlock } from '../../../src/sandbox/page/browser/text/inline.ts';
import { parseMarkdown } from '../../../src/sandbox/page/browser/text/markdown.ts';
import { parseInlineMrkdwn, parseMrkdwn } from '../../../src/sandbox/page/browser/text/mrkdwn.ts';
import { readRichText } from '../../../src/sandbox/page/browser/text/rich-text.ts';

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
    case 'underline':
    case 'highlight':
      return `${shortNames[node.kind] ?? node.kind}(${sketch(node.children)})`;
    case 'emoji':
      return `emoji(${node.name})`;
    case 'broadcast':
      return `all(${node.range})`;
    case 'date':
      return `date(${node.epochSeconds}|${node.format}|${node.url}|${node.fallback})`;
    case 'colour':
      return `colour(${node.value})`;
    case 'user':
    case 'channel':
    case 'group':
    case 'team':
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
  ])('%s', (source, expected) => {
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

  test('leaves bare addresses alone when it is told so', () => {
    expect(sketch(parseInlineMrkdwn('https://example.com', { verbatim: true }))).toBe('https://example.com');
  });

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
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

  test('offers only links that are safe to click, whatever it is given', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const links = parseMrkdwn(source)
          .flatMap((block) => (block.kind === 'preformatted' ? [] : nodesIn(block.children)))
          .flatMap((node) => ('url' in node && node.url !== null ? [node.url] : []));
        for (const url of links) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(new URL(url).protocol);
      }),
    );
  });

  test('makes neither a mention nor a link of escaped text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const nodes = nodesIn(parseInlineMrkdwn(escapeSlack(text), { verbatim: true }));
        const kinds = new Set(nodes.map(({ kind }) => kind));
        for (const kind of ['user', 'channel', 'group', 'broadcast', 'date', 'link'] as const)
          expect(kinds).not.toContain(kind);
      }),
    );
  });

  test('shows escaped text as it was, but for the marks of formatting', () => {
    const withoutMarks = fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll(/[*_~`:\n]/g, ''));
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

describe('Markdown', () => {
  test('knows headings, lists, tasks, quotes, code, rules and tables', () => {
    const source =
      '# Title\nText **bold** *it* ~~no~~ `c`\nsecond\n\n- a\n  - b\n- [x] c\n\n3. x\n4. y\n\n> q\n\n---\n\n```ts\n**raw**\n```\n\n|A|B|\n|:-:|--:|\n|1|2 \\| 3|';
    expect(parseMarkdown(source)).toMatchObject([
      { kind: 'heading', level: 1 },
      { kind: 'paragraph' },
      {
        kind: 'list',
        isOrdered: false,
        items: [{ isDone: null, blocks: [{ kind: 'paragraph' }, { kind: 'list' }] }, { isDone: true }],
      },
      { kind: 'list', isOrdered: true, start: 3, items: [{}, {}] },
      { kind: 'quote', blocks: [{ kind: 'paragraph' }] },
      { kind: 'rule' },
      { kind: 'preformatted', text: '**raw**' },
      { kind: 'table', align: ['center', 'right'], rows: [[[{ text: '1' }], [{ text: '2 | 3' }]]] },
    ]);
  });

  test.each([
    ['**bold** and *it* and __b__ and _i_', 'b(bold) and i(it) and b(b) and i(i)'],
    ['[label](https://example.com "title")', 'link(https://example.com|label)'],
    ['![alt](https://example.com/a.png)', 'link(https://example.com/a.png|alt)'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['\\*stars\\*', '*stars*'],
    ['<@U0MIA> ~~gone~~', 'user(U0MIA|null) s(gone)'],
  ])('%s', (source, expected) => {
    const [block] = parseMarkdown(source);
    expect(block?.kind === 'paragraph' && sketch(block.children)).toBe(expected);
  });

  test('reads anything without failing or hanging', () => {
    const pieces = fc.constantFrom(
      '# ',
      '- ',
      '1. ',
      '> ',
      '```',
      '\n',
      '|',
      '---',
      '**',
      '*',
      '[',
      '](',
      ')',
      '`',
      '<',
      ' ',
      '  ',
      'a',
      '\\',
      '[x] ',
    );
    const any = fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(any, (source) => {
        expect(Array.isArray(parseMarkdown(source))).toBe(true);
      }),
    );
  });
});

describe('rich text', () => {
  test('takes marks in its text for text, and only safe links for links', () => {
    const [part] = readRichText({
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: '*stars* <b>', style: { bold: true, italic: true } },
            { type: 'text', text: 'c', style: { code: true } },
            { type: 'link', url: 'javascript:alert(1)', text: 'no' },
            { type: 'link', url: 'https://example.com' },
            { type: 'emoji', name: 'wave', unicode: '1f44b' },
            { type: 'user', user_id: 'U1' },
            { type: 'broadcast', range: 'here' },
            { type: 'date', timestamp: 5, format: '{date}', fallback: 'x' },
            { type: 'colour_of_the_future', text: '?' },
          ],
        },
      ],
    });
    expect(part?.kind === 'section' && sketch(part.children)).toBe(
      'b(i(*stars* <b>))code(c)nolink(https://example.com|https://example.com)emoji(wave)user(U1|null)all(here)date(5|{date}|null|x)?',
    );
  });

  test('knows lists with their level and numbers, quotes and preformatted lines', () => {
    const section = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
    const elements = [
      { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [section('a'), section('b')] },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'q\nr' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'p' }] },
      { type: 'rich_text_poem' },
    ];
    expect(readRichText({ elements })).toMatchObject([
      { kind: 'list', isOrdered: true, indent: 1, start: 3, items: [[{ text: 'a' }], [{ text: 'b' }]] },
      { kind: 'quote', children: [{ text: 'q' }, { kind: 'break' }, { text: 'r' }] },
      { kind: 'preformatted', text: 'p' },
      { kind: 'unknown', type: 'rich_text_poem' },
    ]);
  });
});
