import { beforeAll, describe, expect, test } from 'vitest';
import { playGallery } from '../../../src/sandbox/gallery/play.ts';
import type { Shot } from '../../../src/sandbox/page/shot.ts';

/** A command that does not exist in a workspace where each has a prefix. */
const UNPREFIXED =
  /(?<![\w/.~@-])\/(?:usage|readiness|limits|session|computers|quartermaster|budget|digest|controls)(?![\w/-])/;
const JOINER = '\u2060';
/** Values that return to the program, or are typed. */
const NOT_READ = new Set(['value', 'private_metadata', 'action_id', 'block_id', 'callback_id', 'url', 'initial_value']);

/** Every text of a screen, with its position. */
function textsOf(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return NOT_READ.has(name) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, Array.isArray(value) ? name : key));
}

describe('in a workspace whose commands have a prefix', () => {
  let shots: readonly Shot[];
  beforeAll(async () => {
    ({ shots } = await playGallery(() => {}, 'qm-'));
  }, 480_000);

  test('no screen of the gallery names a command that does not exist, and none contains an invisible character', () => {
    const wrong = shots.flatMap(({ screen, state, text, blocks, view }) =>
      textsOf({ text, blocks, view })
        .filter((one) => UNPREFIXED.test(one) || one.includes(JOINER))
        .map((one) => `${screen}, ${state}: ${one.slice(0, 200)}`),
    );
    expect(wrong).toEqual([]);
    const named = shots.filter(({ text, blocks }) => JSON.stringify([text, blocks]).includes('/qm-'));
    expect(named.length).toBeGreaterThan(20);
  });
});
