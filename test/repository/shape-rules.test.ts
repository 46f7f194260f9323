import { describe, expect, test } from 'vitest';
import { filesThatBreak, SHAPE_RULES } from './shape-rules.ts';
import { typeScriptFiles } from './parsing/sources.ts';

const sources = typeScriptFiles('src');

describe.each(SHAPE_RULES)('$rule', (rule) => {
  test('in all other files', () => {
    const files = filesThatBreak(rule, sources);
    expect(files.length > (rule.maxFiles ?? 0) ? files : []).toEqual([]);
  });

  test.each(rule.planted)('or it is detected: %s', (text) => {
    // Every rule holds for a decision.
    const path = 'src/feature/core/decide.ts';
    expect(filesThatBreak(rule, [{ path, text }])).toEqual([path]);
  });
});
