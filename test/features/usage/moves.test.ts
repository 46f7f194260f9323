import { describe, expect, test } from 'vitest';
import type { Part } from '../../../src/core/analytics/day-facts.ts';
import type { CreditsRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { type MovesFacts, buildMoves, explainedShare } from '../../../src/features/usage/reports/summary-report.ts';
import { movesView, shortMoves } from '../../../src/features/usage/views/summary-view.ts';
import { CHANNEL, MANAGERS, NAMING } from '../../support/slack/readers.ts';

const READ_AT = new Date('2026-03-05T09:00:00Z');
const scope = {
  period: { first: '2026-03-03', last: '2026-03-03' },
  comparedWith: { first: '2026-02-24', last: '2026-02-24' },
  today: '2026-03-05',
};
const nothing = { notes: [], faults: [] };

function creditsOf(...days: Record<string, number>[]): Part<CreditsRow> {
  const rows = days.map((models, index) => ({
    date: ['2026-02-24', '2026-03-03'][index] ?? '',
    billable_tokens: Object.values(models).reduce((sum, amount) => sum + amount, 0),
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    by_model: Object.entries(models).map(([model_id, billable_tokens]) => ({
      model_id,
      model_tier: null,
      billable_tokens,
      input_tokens: 0,
      output_tokens: 0,
    })),
  }));
  return { kind: 'read', rows, readAt: READ_AT };
}

const movesOf = (facts: MovesFacts) => buildMoves(facts, scope, NAMING);
const unnamedMovesOf = (facts: MovesFacts) => buildMoves(facts, scope, undefined);
const spend = (
  people: readonly (readonly [email: string, credits: number, before: number])[],
): MovesFacts['people'] => ({
  days: { kind: 'read', rows: ['2026-02-24', '2026-03-03'], readAt: READ_AT },
  people: people.map(([email, credits, before]) => ({ key: email, email, userId: 'u', credits, before })),
});

describe('what moved', () => {
  test('names the largest changes first, each with the share of the change that it explains', () => {
    const moves = movesOf({
      credits: creditsOf({ atlas: 400, boreal: 100 }, { atlas: 1_000, boreal: 300, cinder: 200 }),
    });
    expect(shortMoves(moves).models).toEqual([
      'atlas: 1 K (+600, 60% of the increase)',
      'boreal: 300 (+200, 20% of the increase)',
      'cinder: 200 (new, 20% of the increase)',
    ]);
  });

  test('shows amounts and no shares if the parts went both ways, or the total hardly moved', () => {
    expect(
      shortMoves(movesOf({ credits: creditsOf({ atlas: 500, boreal: 500 }, { atlas: 900, boreal: 200 }) })).models,
    ).toEqual(['atlas: 900 (+400)', 'boreal: 200 (−300)']);
    expect(shortMoves(movesOf({ credits: creditsOf({ atlas: 500, boreal: 500 }, { atlas: 1_000 }) })).models).toEqual([
      'atlas: 1 K (+500)',
      'boreal: 0 (was 500)',
    ]);
  });

  test('lists moves in the direction of the total first, and the opposite ones after them', () => {
    const moves = movesOf({
      credits: creditsOf({ atlas: 1_000, boreal: 100, cinder: 100 }, { atlas: 600, boreal: 400, cinder: 350 }),
    });
    expect(shortMoves(moves).models).toEqual(['boreal: 400 (+300)', 'cinder: 350 (+250)', 'atlas: 600 (−400)']);
    expect(movesView(moves, nothing, CHANNEL).lines).toContain(
      'By model: boreal: 400 (+300); cinder: 350 (+250); atlas: 600 (−400).',
    );
  });

  test('lists models and people separately, so that their shares are not added up', () => {
    const facts = {
      credits: creditsOf({ atlas: 100 }, { atlas: 300 }),
      people: spend([['mia@acme.example', 300, 100]]),
    };
    expect(shortMoves(movesOf(facts))).toEqual({
      models: ['atlas: 300 (+200, 100% of the increase)'],
      people: ['mia@acme.example: 300 (+200, 100% of the increase)'],
    });
  });

  test('calls a model that was idle and had been used before active again, and never new', () => {
    const earlier = partRows(creditsOf({ atlas: 5 })).map((row) => ({ ...row, date: '2026-02-20' }));
    const now = partRows(creditsOf({ boreal: 100 }, { boreal: 100, atlas: 300, cinder: 200 }));
    const credits: Part<CreditsRow> = { kind: 'read', rows: [...earlier, ...now], readAt: READ_AT };
    expect(shortMoves(movesOf({ credits })).models).toEqual([
      'atlas: 300 (active again, 60% of the increase)',
      'cinder: 200 (new, 40% of the increase)',
    ]);
  });

  test('calls no person new: a person who was idle in the compared days may have been active before them', () => {
    const facts = {
      credits: creditsOf({ atlas: 100 }, { atlas: 100 }),
      people: spend([['mia@acme.example', 300, 0]]),
    };
    expect(movesView(movesOf(facts), nothing, MANAGERS).lines).toContain(
      'By person: mia@acme.example: 300 (was 0, 100% of the increase).',
    );
  });

  test('gives no share to an opposite move, or to a move larger than the whole change', () => {
    const moves = {
      total: { value: 190, before: 100 },
      rises: 95,
      falls: 5,
      moves: [
        { name: 'a', value: 195, before: 100 },
        { name: 'b', value: 0, before: 5 },
      ],
    };
    expect(moves.moves.map((move) => explainedShare(moves, move))).toEqual([undefined, undefined]);
  });

  test('shows no change that is too small for its first digit', () => {
    const credits = creditsOf({ atlas: 500, boreal: 0.02, cinder: 0.3 }, { atlas: 900, boreal: 0.05, cinder: 0.32 });
    const people = spend([
      ['mia@acme.example', 900, 500],
      ...Array.from({ length: 8 }, (_, index) => [`p${index}@acme.example`, 0.02, 0.03 + index / 1_000] as const),
    ]);
    const text = movesView(movesOf({ credits, people }), nothing, MANAGERS).lines.join('\n');
    expect(text).toContain('atlas: 900 (+400');
    expect(text).not.toMatch(/[+−]<?0\b(?!\.[1-9])|p0@acme/);
    const crumbs = shortMoves(movesOf({ credits: creditsOf({ atlas: 0.02 }, { atlas: 0.09, boreal: 0.04 }) }));
    expect(crumbs.models).toEqual(['atlas: 0.1 (+0.1)']);
  });

  test('names people only for those who may see them', () => {
    const facts = {
      credits: creditsOf({ atlas: 100 }, { atlas: 300 }),
      people: spend([['mia@acme.example', 300, 100]]),
    };
    expect(movesView(movesOf(facts), nothing, MANAGERS).lines).toContain(
      'By person: mia@acme.example: 300 (+200, 100% of the increase).',
    );
    const unnamed = movesView(unnamedMovesOf(facts), nothing, CHANNEL);
    expect(JSON.stringify(unnamed)).not.toContain('mia@');
    expect([movesView(movesOf(facts), nothing, MANAGERS).hasNames, unnamed.hasNames]).toEqual([true, false]);
  });

  test('lists teams, which may overlap, by their people', () => {
    const people = spend([
      ['mia@acme.example', 300, 100],
      ['max@acme.example', 50, 40],
    ]);
    const teams = [
      { label: '@web', emails: ['mia@acme.example', 'max@acme.example'] },
      { label: '@infra', emails: ['max@acme.example', 'nobody@acme.example'] },
    ];
    const { lines } = movesView(
      unnamedMovesOf({ credits: creditsOf({ a: 140 }, { a: 350 }), people, teams }),
      nothing,
      CHANNEL,
    );
    expect(lines).toContain('By team: @web: 350 (+210, 100% of the increase); @infra: 50 (+10, 5% of the increase).');
    expect(lines).toContain('People can be in several teams, so the changes don’t add up.');
  });

  test('does not compare with missing days', () => {
    const none = movesOf({ credits: { kind: 'read', rows: [], readAt: READ_AT } });
    expect(none.byModel).toEqual({ kind: 'unpublished' });
    const [, second] = partRows(creditsOf({ atlas: 1 }, { atlas: 5 }));
    const late = movesOf({ credits: { kind: 'read', rows: second ? [second] : [], readAt: READ_AT } });
    expect(late.byModel).toEqual({ kind: 'not_comparable' });
    expect(shortMoves(late)).toEqual({ models: [], people: [] });
    expect(movesView(late, nothing, MANAGERS).lines).toContain(
      'By model: can’t be compared, because days are missing in one of the periods.',
    );
  });

  test('lists other events on the days of the period', () => {
    const timeline = [
      { day: '2026-03-03', sentence: 'Enterprise controls changed (revision 12).' },
      { day: '2026-03-01', sentence: 'Something earlier.' },
    ];
    const { lines } = movesView(movesOf({ credits: creditsOf({ a: 1 }, { a: 1 }), timeline }), nothing, CHANNEL);
    expect(lines).toContain('What else happened: Tue 3 Mar: Enterprise controls changed (revision 12).');
    expect(lines).toContain('By model: no change.');
  });
});

const partRows = (part: Part<CreditsRow>) => (part.kind === 'read' ? part.rows : []);
