import { describe, expect, test } from 'vitest';
import { parseControls } from '../../../src/features/controls/controls-command.ts';
import { splitWords } from '../../../src/core/slack/commands/command-text.ts';

const parse = (text: string) => parseControls(splitWords(text), new Date('2026-03-04T09:00:00Z'));

describe('the words after /controls', () => {
  test.each([
    ['', { kind: 'latest' }],
    ['latest', { kind: 'latest' }],
    ['history', { kind: 'history', most: 5, by: undefined, member: undefined }],
    [
      'history 5 by <@U1|max> member sandbox.network',
      { kind: 'history', most: 5, by: { slackId: 'U1' }, member: 'sandbox.network' },
    ],
    ['history <@U1>', { kind: 'history', most: 5, by: { slackId: 'U1' }, member: undefined }],
    ['history by Max@acme.example', { kind: 'history', most: 5, by: { email: 'max@acme.example' }, member: undefined }],
    [
      'last week',
      {
        kind: 'history',
        most: 5,
        by: undefined,
        member: undefined,
        days: { first: '2026-02-23', last: '2026-03-01' },
      },
    ],
    [
      'history 2d',
      {
        kind: 'history',
        most: 5,
        by: undefined,
        member: undefined,
        days: { first: '2026-03-03', last: '2026-03-04' },
      },
    ],
    [
      'history since mar 1',
      {
        kind: 'history',
        most: 5,
        by: undefined,
        member: undefined,
        days: { first: '2026-03-01', last: '2026-03-04' },
      },
    ],
    [
      'history last week 5 by <@U1>',
      {
        kind: 'history',
        most: 5,
        by: { slackId: 'U1' },
        member: undefined,
        days: { first: '2026-02-23', last: '2026-03-01' },
      },
    ],
    ['history setting october', { kind: 'history', most: 5, by: undefined, member: 'october' }],
    ['history 5000', { kind: 'history', most: 10, by: undefined, member: undefined }],
    ['show 12', { kind: 'show', revision: 12 }],
    ['show #12', { kind: 'show', revision: 12 }],
    ['diff 12 9', { kind: 'diff', a: 12, b: 9 }],
    ['watch', { kind: 'watch', channel: undefined, names: [], only: undefined }],
    ['watch <#C12|general>', { kind: 'watch', channel: 'C12', names: [], only: undefined }],
    [
      'watch <#C12> only modelPolicy, mcpPolicy',
      { kind: 'watch', channel: 'C12', names: ['modelPolicy', 'mcpPolicy'], only: undefined },
    ],
    ['watch only sandbox,sandbox', { kind: 'watch', channel: undefined, names: ['sandbox'], only: undefined }],
    ['watch weaker', { kind: 'watch', channel: undefined, names: [], only: 'weaker' }],
    ['watch stronger', { kind: 'watch', channel: undefined, names: [], only: 'stronger' }],
    ['watch <#C12> Stronger only sandbox', { kind: 'watch', channel: 'C12', names: ['sandbox'], only: 'stronger' }],
    ['watch #general weaker', { kind: 'watch', channel: '#general', names: [], only: 'weaker' }],
    ['watch <#C12> weaker only sandbox', { kind: 'watch', channel: 'C12', names: ['sandbox'], only: 'weaker' }],
    ['history setting sandbox', { kind: 'history', most: 5, by: undefined, member: 'sandbox' }],
    ['unwatch #general', { kind: 'unwatch', channel: '#general' }],
  ])('are parsed: “%s”', (text, request) => {
    expect(parse(text)).toEqual({ kind: 'run', request });
  });

  test.each([
    ['histroy', 'history'],
    ['histroy 5', 'history 5'],
    ['12', 'show 12'],
    ['show', 'history'],
    ['show twelve', 'history'],
    ['diff 12', 'diff 11 12'],
    ['diff', 'history'],
    ['latest now', 'latest'],
    ['history sandbox', 'history setting sandbox'],
    ['watch #general waeker', 'watch #general weaker'],
    ['history by nobody', 'history'],
    ['watch general', 'watch'],
    ['unwatch <#C1> please', 'unwatch <#C1>'],
  ])('“%s” are corrected to “%s”', (text, corrected) => {
    expect(parse(text)).toMatchObject({ kind: 'misunderstood', corrected });
  });

  test('show the help if they are unknown', () => {
    expect(parse('help')).toEqual({ kind: 'help' });
    expect(parse('history yesterday today').kind).toBe('misunderstood');
    expect(parse('xyzzy')).toEqual({ kind: 'misunderstood', sentence: 'Unknown word “xyzzy”.' });
  });
});
