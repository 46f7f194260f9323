import { describe, expect, test } from 'vitest';
import { alone, readSubcommand, run, unexpected } from '../../../src/core/slack/commands/subcommands.ts';

type Request = { kind: 'list' } | { kind: 'show'; id: string };

const read = (...words: string[]) =>
  readSubcommand<Request>(words, {
    initial: 'list',
    subcommands: {
      list: alone({ kind: 'list' }),
      show: ([id = '', ...rest]) => (rest.length === 0 ? run({ kind: 'show', id }) : unexpected(rest[0], `show ${id}`)),
    },
  });

describe('the first word after a command', () => {
  test('may be missing, which means the initial subcommand', () => {
    expect(read()).toEqual({ kind: 'run', request: { kind: 'list' } });
  });

  test('is read in any case', () => {
    expect(read('SHOW', 'k7')).toEqual({ kind: 'run', request: { kind: 'show', id: 'k7' } });
  });

  test('is corrected to the nearest subcommand, with the words after it', () => {
    expect(read('shw', 'k 7')).toMatchObject({ kind: 'misunderstood', corrected: 'show "k 7"' });
  });

  test('is not corrected if no word is near, nor to help', () => {
    for (const word of ['kubernetes', 'hlep']) {
      const sentence = `Unknown word “${word}”.`;
      expect(read(word)).toEqual({ kind: 'misunderstood', sentence });
    }
  });

  test('is never mistaken for a member that every object has', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(read(word).kind).toBe('misunderstood');
    }
  });
});

test('an extra word is named, and the subcommand without it is offered', () => {
  expect(read('list', 'all')).toEqual({
    kind: 'misunderstood',
    sentence: 'Unknown word “all”.',
    corrected: 'list',
  });
});
