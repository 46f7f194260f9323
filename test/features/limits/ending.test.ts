import { describe, expect, test } from 'vitest';
import type { UseReading } from '../../../src/features/limits/card/evidence.ts';
import { endingSoon, farAboveUse, type CurrentLimit } from '../../../src/features/limits/views/ending-facts.ts';
import { endingMessage } from '../../../src/features/limits/views/ending-view.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';

const NOW = new Date('2026-03-02T08:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60_000);

const limit = (name: string, more: Partial<CurrentLimit> = {}): CurrentLimit => ({
  email: `${name}@acme.example`,
  slackId: null,
  value: 1_000,
  requestId: 'k7m2x',
  until: undefined,
  returnTo: null,
  ...more,
});
const names = (limits: readonly CurrentLimit[]) => limits.map(({ email }) => email.split('@')[0]);

const useOf = (credits: Record<string, number>): UseReading => ({
  kind: 'read',
  readAt: NOW.toISOString(),
  lastDay: '2026-03-01',
  credits: new Map(Object.entries(credits).map(([name, used]) => [`${name}@acme.example`, Float64Array.of(used)])),
  keyByEmail: new Map(),
  published: [0],
});

const shownBy = (...facts: Parameters<typeof endingMessage>) => JSON.stringify(endingMessage(...facts).blocks);

describe('limits that end soon', () => {
  test('are those of the next 14 days, the soonest first', () => {
    const limits = [
      limit('later', { until: inDays(10) }),
      limit('too-late', { until: inDays(14.1) }),
      limit('over', { until: inDays(0) }),
      limit('edge', { until: inDays(14) }),
      limit('for-good'),
      limit('soon', { until: inDays(1) }),
    ];
    expect(names(endingSoon(limits, NOW))).toEqual(['soon', 'later', 'edge']);
  });
});

describe('limits far above use', () => {
  test('are more than three times the use, the least used first', () => {
    const limits = ['third', 'tenth', 'half', 'nobody', 'none'].map((name) => limit(name));
    const used = new Map([
      ['third@acme.example', 333.3],
      ['tenth@acme.example', 100],
      ['half@acme.example', 500],
      ['none@acme.example', 0],
    ]);
    const bigger = limit('idle', { value: 5_000 });
    expect(names(farAboveUse([...limits, bigger], used))).toEqual(['idle', 'nobody', 'none', 'tenth', 'third']);
  });

  test('are never exactly three times the use, nor a limit of 0', () => {
    const used = new Map([['three@acme.example', 1]]);
    expect(farAboveUse([limit('three', { value: 3 }), limit('stopped', { value: 0 })], used)).toEqual([]);
  });
});

describe('the screen of ending limits', () => {
  test('holds the first ten of each list within Slack’s limits, each with its details', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      limit(`${'x'.repeat(200)}${index}`, { until: inDays(index / 10 + 0.1), returnTo: 500 }),
    );
    const { blocks } = endingMessage(many, useOf({}), NOW);
    expect(checkBlocks(blocks, 'message')).toEqual([]);
    expect(JSON.stringify(blocks).match(/"Details"/g)).toHaveLength(20);
    expect(JSON.stringify(blocks).match(/and 20 more/g)).toHaveLength(2);
  });

  test('names each empty list', () => {
    const shown = shownBy([limit('mia')], useOf({ mia: 900 }), NOW);
    expect(shown).toContain('No limit ends within 14 days.');
    expect(shown).toContain('No limit is more than 3 times what the person used in the last day.');
  });

  test('still shows ending limits if the use cannot be read', () => {
    const shown = shownBy(
      [limit('mia', { until: inDays(1), returnTo: 500 })],
      { kind: 'unreadable', sentence: 'The platform is having problems.' },
      NOW,
    );
    expect(shown).toContain('then back to 500');
    expect(shown).toContain('What people used couldn’t be read.');
  });
});
