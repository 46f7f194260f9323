import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/core/base/settings/config.ts';
import { nameKey, readEmail, readEmails } from '../../../src/core/base/text/email.ts';
import type { Reading } from '../../../src/features/ask/messages/reading.ts';
import { readMessageText } from '../../../src/features/ask/words/read-message.ts';
import { parseLimits } from '../../../src/features/limits/limits-command.ts';
import { directoryOf, readSubjectWords } from '../../../src/features/ask/subject-words.ts';
import { splitWords } from '../../../src/core/slack/commands/command-text.ts';
import { parseUsage } from '../../../src/features/usage/usage-command.ts';

const lineOf = (reading: Reading) => ('line' in reading ? reading.line.text : '');
const NOW = new Date('2026-03-04T09:00:00Z');

describe('an e-mail', () => {
  test.each([
    ["o'brien@acme.example", "o'brien@acme.example"],
    ['O’Brien@Acme.example', "o'brien@acme.example"],
    ['OʼBrien@acme.example', "o'brien@acme.example"],
    ['<mailto:O’Brien@acme.example|O’Brien@acme.example>', "o'brien@acme.example"],
    ['mailto:mia@acme.example', 'mia@acme.example'],
    ['<mia@acme.example>', 'mia@acme.example'],
    ["'mia@acme.example'", 'mia@acme.example'],
    ["'mia@acme.example", 'mia@acme.example'],
    ["'o'brien@acme.example'", "o'brien@acme.example"],
    ['"mia@acme.example"', 'mia@acme.example'],
    ['mia@acme.example\u200b', 'mia@acme.example'],
    ['\ufeffmia@acme\u2060.example', 'mia@acme.example'],
    ['mia\u202f', undefined],
    ['r&d+ci{x}@mail.acme.co.example', 'r&d+ci{x}@mail.acme.co.example'],
    ['müller@bücher.example', 'müller@bücher.example'],
    ['mia@acme', undefined],
    ['mia@acme..example', undefined],
    ['mia @acme.example', undefined],
    ['a@b@c.example', undefined],
    ['@acme.example', undefined],
    ['mia@acme.example,max@acme.example', undefined],
    [`${'x'.repeat(320)}@acme.example`, undefined],
  ])('typed as “%s” is read by one reader', (typed, email) => expect(readEmail(typed)).toBe(email));

  test('with an apostrophe is whole in lists, whatever separates them', () => {
    expect(readEmails("o'brien@a.example; D’Angelo@a.example\n<mailto:x@a.example|x@a.example>,nobody")).toEqual({
      emails: ["o'brien@a.example", "d'angelo@a.example", 'x@a.example'],
      wrong: ['nobody'],
    });
  });

  test.each(["o'brien@acme.example", 'O’Brien@acme.example', '<mailto:o’brien@acme.example|o’brien@acme.example>'])(
    '%s is the same person in commands, questions, tools and settings',
    async (typed) => {
      const email = "o'brien@acme.example";
      expect(parseUsage(splitWords(`${typed} last week`), NOW)).toMatchObject({
        request: { subject: { kind: 'email', email }, period: { first: '2026-02-23' } },
      });
      expect(parseLimits(splitWords(`request ${typed} 5m`), NOW)).toMatchObject({
        request: { words: { emails: [email], amount: 5_000_000 } },
      });
      const reading = readMessageText(`how much did ${typed} use last week?`, directoryOf([], new Map()), NOW);
      expect(lineOf(reading)).toContain(email);
      const people = { teams: () => Promise.resolve([]), names: () => Promise.resolve(new Map()) };
      expect(await readSubjectWords(typed, people, { namesPeople: true })).toEqual({ kind: 'word', word: email });
    },
  );

  test('whose owner is asked about with an apostrophe and an s is still whole', () => {
    const text = "what are o'brien@acme.example's numbers for last week?";
    const reading = readMessageText(text, directoryOf([], new Map()), NOW);
    expect(lineOf(reading)).toContain("o'brien@acme.example");
  });
});

describe('words of a command', () => {
  test.each([
    ["@D'Angelo last week", ["@D'Angelo", 'last', 'week']],
    ['@D’Angelo last week', ["@D'Angelo", 'last', 'week']],
    [`'last week' "this month"`, ['last week', 'this month']],
    ["it's 'o'clock' now", ["it's", "o'clock", 'now']],
    ['“last week” ‘a b’', ['last week', 'a b']],
    ['`7d` people', ['7d', 'people']],
    [`"unclosed words`, ['"unclosed', 'words']],
    [`''`, ['']],
    [`rock'n'roll o'brien@a.example d'angelo@a.example`, [`rock'n'roll`, `o'brien@a.example`, `d'angelo@a.example`]],
  ])('%s are split at spaces outside quotes', (text, words) => expect(splitWords(text)).toEqual(words));

  test('keep every address whole, whatever stands beside it', () => {
    const local = fc.string({ unit: fc.constantFrom('a', 'b', "'", '.', '+', '&'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(local, local, fc.constantFrom('', 'last week ', '"two words" '), (one, other, before) => {
        const emails = [`x${one}y@acme.example`, `z${other}z@acme.example`];
        expect(splitWords(`${before}${emails.join(' ')}`).slice(-2)).toEqual(emails);
      }),
    );
  });
});

describe('a name', () => {
  test('is the same with and without its apostrophe', () => {
    expect(new Set(['D’Angelo', "d'angelo ", 'DAngelo', 'Dʼangelo'].map((name) => nameKey(name)))).toEqual(
      new Set(['dangelo']),
    );
  });

  test.each(["D'Angelo", 'D’Angelo', "d'angelo"])('%s is found, and never taken for somebody else', async (typed) => {
    const people = (names: Record<string, string>) => ({
      teams: () => Promise.resolve([]),
      names: () => Promise.resolve(new Map(Object.entries(names))),
    });
    const one = people({ 'rita@acme.example': 'Rita D’Angelo', 'angelo@acme.example': 'Angelo Rossi' });
    expect(await readSubjectWords(typed, one, { namesPeople: true })).toEqual({
      kind: 'word',
      word: 'rita@acme.example',
    });
    const two = people({ 'rita@acme.example': 'Rita D’Angelo', 'dan@acme.example': 'Dan Dangelo' });
    expect(await readSubjectWords(typed, two, { namesPeople: true })).toMatchObject({ kind: 'unclear' });
  });
});

test('ADMINS and MANAGERS take e-mails with apostrophes', () => {
  const config = readConfig({
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    PLATFORM_BASE_URL: 'https://platform.example',
    PLATFORM_APP_URL: 'https://app.example',
    PLATFORM_API_KEY: 'key',
    ADMINS: 'O’Brien@acme.example, r&d@acme.example',
  });
  expect(config).toMatchObject({
    config: {
      admins: [
        { kind: 'email', email: "o'brien@acme.example" },
        { kind: 'email', email: 'r&d@acme.example' },
      ],
    },
  });
});
