import { describe, expect, test } from 'vitest';
import { describeFaults } from '../../src/core/base/settings/config.ts';
import { createSentenceReader } from './parsing/sentences.ts';
import { botFiles, tableRows } from './parsing/sources.ts';

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

const HEARTBEAT = 'src/core/store/health/heartbeat.ts';
const files = botFiles();
const isEnding = (callee: string, node: { type: string }, path: string) =>
  (node.type === 'NewExpression' && ERRORS.has(callee)) ||
  /(^|\.)onFatal$/.test(callee) ||
  (callee === 'fail' && path === 'src/main.ts');

function fatalSentences(sources = files): string[] {
  const reader = createSentenceReader(sources, PASSED_ON);
  const all = [...reader.argumentsOf(isEnding), ...reader.returnedBy(HEARTBEAT, 'goneSentence')];
  return [...new Set(all)].toSorted();
}

const rows = tableRows('docs/runbook.md').filter(([first]) => first !== 'sentence');

describe('every sentence with which the program ends', () => {
  test('has a line in the runbook with its remedy, and the runbook has no others', () => {
    expect(rows.map(([sentence = '']) => sentence).toSorted()).toEqual([...fatalSentences(), SETTINGS].toSorted());
    expect(rows.filter((cells) => cells.length < 2 || cells.join('').length < 30)).toEqual([]);
  });

  test('would be missed in the runbook if it were new', () => {
    const path = 'src/core/store/odd.ts';
    const text =
      "export function open() { throw new StoreError(explain('x')); }\nconst explain = (place: string) => `${place} is odd.`;";
    // Parsing all sources once more would take seconds.
    const few = files.filter(({ path }) => path === HEARTBEAT);
    expect(fatalSentences([...few, { path, text }])).toContain('… is odd.');
    const hidden = 'export const end = (deps) => deps.onFatal(deps.why());';
    expect(() => fatalSentences([...few, { path, text: hidden }])).toThrow(`${path}: deps.why()`);
  });

  test('of faulty settings is one text, which lists them', () => {
    expect(describeFaults([{ name: 'PORT', sentence: 'is odd' }])).toMatch(new RegExp(`^${SETTINGS}\n  PORT is odd\n`));
  });
});
