import { describe, expect, test } from 'vitest';
import { describeFaults } from '../../src/base/settings/config.ts';
import { createSentenceReader } from './parsing/sentences.ts';
import { readText, typeScriptFiles } from './parsing/sources.ts';

const PAGE = 'docs/runbook.md';
const ERRORS = new Set(['StoreError', 'SlackStartError', 'PortError', 'ErasureListError']);
/** All faults of settings are reported in one text, which begins like this. */
const SETTINGS = 'Quartermaster cannot start; these settings need attention:';
/** Expressions that pass on a sentence from elsewhere, and the place of that sentence. */
const PASSED_ON = {
  reason: 'what `onFatal` is called with',
  'health.sentence': 'goneSentence of the heartbeat, and explainStoreFault',
  'error.message': 'a SlackStartError',
  String: 'a thrown value that is no error',
};

const files = typeScriptFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
const isEnding = (callee: string, node: { type: string }, path: string) =>
  (node.type === 'NewExpression' && ERRORS.has(callee)) ||
  /(^|\.)onFatal$/.test(callee) ||
  (callee === 'fail' && path === 'src/main.ts');

function fatalSentences(sources = files): string[] {
  const reader = createSentenceReader(sources, PASSED_ON);
  const all = [...reader.argumentsOf(isEnding), ...reader.returnedBy('src/store/health/heartbeat.ts', 'goneSentence')];
  return [...new Set(all)].toSorted();
}

/** The first cells of the page's tables, except for their heads. */
const described = readText(PAGE)
  .split('\n')
  .filter((line) => /^\| (?!-|sentence )/.test(line))
  .map((line) => (line.split(' | ')[0] ?? '').slice(2));

describe('every sentence with which the program ends', () => {
  test('has a line in the runbook with its meaning and remedy, and the runbook has no others', () => {
    expect(described.toSorted()).toEqual([...fatalSentences(), SETTINGS].toSorted());
    const lines = readText(PAGE)
      .split('\n')
      .filter((line) => /^\| (?!-|sentence )/.test(line));
    expect(lines.filter((line) => line.split(' | ').length !== 3 || line.length < 40)).toEqual([]);
  });

  test('would be missed in the runbook if it were new', () => {
    const text =
      "export function open() { throw new StoreError(explain('x')); }\nconst explain = (place: string) => `${place} is odd.`;";
    // Parsing all sources once more would take seconds.
    const few = files.filter(({ path }) => path === 'src/store/health/heartbeat.ts');
    expect(fatalSentences([...few, { path: 'src/store/odd.ts', text }])).toContain('… is odd.');
    const hidden = { path: 'src/store/odd.ts', text: 'export const end = (deps) => deps.onFatal(deps.why());' };
    expect(() => fatalSentences([...few, hidden])).toThrow('src/store/odd.ts: deps.why()');
  });

  test('of faulty settings is one text, which lists them', () => {
    expect(describeFaults([{ name: 'PORT', sentence: 'is odd' }])).toMatch(new RegExp(`^${SETTINGS}\n  PORT is odd\n`));
  });
});
