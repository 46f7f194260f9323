import { describe, expect, test } from 'vitest';
import { typeScriptFiles } from './parsing/sources.ts';

const files = typeScriptFiles('src');
const holding = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('the right to name people', () => {
  test('is granted in one place', () => {
    expect(holding(/new Permission\(/)).toEqual(['src/slack/people/audience.ts']);
    expect(holding(/as (unknown as )?(NamingPermission|ForNamedChannel|ForManagers)\b/)).toEqual([]);
  });

  test('is granted for a channel only by a confirmed share and by sections that declare names', () => {
    expect(holding(/\bNAMED_CHANNEL\b/).toSorted()).toEqual(['src/slack/people/audience.ts', 'src/usage/share.ts']);
  });
});

test('answers are shared with a channel by usage alone, which builds them for it', () => {
  // The door records shared figures before it passes them on.
  expect(holding(/reply\.share\(/)).toEqual(['src/slack/inbound/disclosure-guard.ts', 'src/usage/share.ts']);
});
