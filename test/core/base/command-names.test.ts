import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromWorkspaceName,
  markup,
  mrkdwnOf,
  own,
  shieldCommands,
  toWorkspaceNames,
} from '../../../src/core/base/text/markup.ts';
import { readText } from '../../repository/parsing/sources.ts';

const COMMANDS = [...readText('manifest.yml').matchAll(/- command: (\/\w+)/g)].map(([, command = '']) => command);
const someCommand = fc.constantFrom(...COMMANDS);

describe('a command in a sentence of the program', () => {
  test.each(COMMANDS)('such as %s has the name that it has in the workspace', (command) => {
    const named = command.replace('/', '/qm-');
    expect(toWorkspaceNames(`Type ${command} help, (${command}) or \`${command}\`.`, 'qm-')).toBe(
      `Type ${named} help, (${named}) or \`${named}\`.`,
    );
    expect(fromWorkspaceName(named, 'qm-')).toBe(command);
    expect(fromWorkspaceName(command, '')).toBe(command);
  });

  test('keeps its name without a prefix', () => {
    expect(toWorkspaceNames('Type /usage help.', '')).toBe('Type /usage help.');
  });

  test.each([
    'https://app.example/usage',
    'acme/usage',
    '/usage/limits',
    '/usages',
    './usage',
    '/usage-report',
    'and/or /help',
    '/api/v0/computers',
  ])('is not recognized in %s', (text) => {
    expect(toWorkspaceNames(text, 'qm-')).toBe(text);
  });
});

describe('text written by other people', () => {
  test('stays unchanged beside the program’s own words', () => {
    const said = mrkdwnOf(
      markup`They said: ${'try /usage * 2'}. Type ${own('/usage help')}, \`${own('/usage 7d')}\` or /usage.`,
    );
    expect(toWorkspaceNames(said, 'qm-')).toBe(
      'They said: try /usage ∗ 2. Type /qm-usage help, `/qm-usage 7d` or /qm-usage.',
    );
    expect(toWorkspaceNames(said, '')).toBe('They said: try /usage ∗ 2. Type /usage help, `/usage 7d` or /usage.');
  });

  test('keeps every character, shielded in text or inside of the program’s own words, whatever the prefix', () => {
    const piece = fc.oneof(someCommand, fc.string(), fc.constantFrom(' ', '|', '`', '/', '.'));
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('', 'qm-', 'x_'), (typed, prefix) => {
        const whole = mrkdwnOf(markup`a ${own(`b ${typed} c`)} d`);
        expect(toWorkspaceNames(mrkdwnOf(markup`a ${`b ${typed} c`} d`), prefix)).toBe(whole);
        expect(toWorkspaceNames(mrkdwnOf(markup`a ${own(`b ${shieldCommands(typed)} c`)} d`), prefix)).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  test('cannot remove the shield', () => {
    expect(toWorkspaceNames(mrkdwnOf(markup`${'/\u2060usage \u2060/usage'}`), 'qm-')).not.toContain('qm-');
  });
});
