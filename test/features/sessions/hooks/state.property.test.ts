import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeNames, readEvent, type HookEvent } from '../../../../src/features/sessions/hooks/core/event.ts';
import { sessionKey } from '../../../../src/features/sessions/hooks/inbox/record.ts';
import { quietUntil, readQuietHours } from '../../../../src/features/sessions/hooks/core/quiet.ts';
import {
  progressAfterEvent,
  dueAt,
  isNews,
  type SessionProgress,
} from '../../../../src/features/sessions/hooks/core/state.ts';
import { COUNTED_A_MINUTE, createRate, EVENTS_A_MINUTE } from '../../../../src/features/sessions/hooks/inbox/rate.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const AT = '2026-03-02T08:00:00.000Z';
const NEW: SessionProgress = { state: 'working', since: AT, message: null, reason: null, finishedAt: null };
const event = (kind: HookEvent['kind'], more: Partial<HookEvent> = {}) => ({
  kind,
  message: null,
  reason: null,
  ...more,
});
const run = (...events: Parameters<typeof progressAfterEvent>[1][]) =>
  events.reduce((course, one) => progressAfterEvent(course, one, AT), NEW);

describe('a session', () => {
  test('waits until a tool runs, it stops or it ends', () => {
    const waiting = run(event('waits', { message: 'May I?' }));
    expect(waiting).toMatchObject({ state: 'waiting', message: 'May I?' });
    expect(progressAfterEvent(waiting, event('subagent'), AT)).toEqual(waiting);
    expect(progressAfterEvent(waiting, event('other'), AT)).toEqual(waiting);
    expect(progressAfterEvent(waiting, event('tool'), AT)).toMatchObject({ state: 'working', message: 'May I?' });
    expect(progressAfterEvent(waiting, event('stops'), AT)).toMatchObject({ state: 'stopped', message: null });
    expect(progressAfterEvent(waiting, event('ends', { reason: 'error' }), AT)).toMatchObject({
      state: 'ended',
      reason: 'error',
    });
  });

  test('that finished and then ended differs from one that only ended', () => {
    expect(run(event('stops'), event('ends', { reason: 'other' })).finishedAt).toBe(AT);
    expect(run(event('stops'), event('tool'), event('ends')).finishedAt).toBeNull();
  });

  test('that continues is announced only if its stop was announced', () => {
    const stopped = run(event('stops'));
    const goesOn = progressAfterEvent(stopped, event('tool'), AT);
    expect(isNews(NEW, progressAfterEvent(NEW, event('tool'), AT), true)).toBe(false);
    expect(isNews(stopped, goesOn, true)).toBe(true);
    expect(isNews(NEW, stopped, false)).toBe(true);
    expect(isNews(stopped, goesOn, false)).toBe(false);
  });

  test('that stopped is announced twenty seconds after its last event, any other state at once', () => {
    expect(dueAt({ state: 'stopped', lastAt: AT }).toISOString()).toBe('2026-03-02T08:00:20.000Z');
    expect(dueAt({ state: 'waiting', lastAt: AT }).toISOString()).toBe(AT);
  });

  test('is in the state of its last significant event, whatever came before', () => {
    const kinds = fc.constantFrom<HookEvent['kind']>('waits', 'stops', 'ends', 'tool', 'subagent', 'other');
    const states = { waits: 'waiting', stops: 'stopped', ends: 'ended', tool: 'working' } as const;
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 30 }), (sequence) => {
        const last = sequence.findLast((kind) => kind !== 'subagent' && kind !== 'other');
        const expected = last === undefined ? 'working' : states[last];
        expect(run(...sequence.map((kind) => event(kind))).state).toBe(expected);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  test('of two people never has the same key, whatever their clients call it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, text, (owner, id, otherOwner, otherId) => {
        fc.pre(owner !== otherOwner);
        expect(sessionKey(owner, id)).not.toBe(sessionKey(otherOwner, otherId));
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});

describe('an event of a client', () => {
  const sent = (more: object) => readEvent(JSON.stringify({ hook_event_name: 'Stop', session_id: 's1', ...more }));

  test('is read by its document', () => {
    expect(sent({ hook_event_name: 'Notification', cwd: '/home/mia/web/', message: 'May\nI?' })).toEqual({
      kind: 'waits',
      sessionId: 's1',
      folder: 'web',
      message: 'May I?',
      reason: null,
      unknownNames: [],
    });
    expect(sent({ cwd: String.raw`C:\work\api` })?.folder).toBe('api');
    expect(sent({ cwd: '/' })?.folder).toBeNull();
  });

  test('may contain unknown members: their names are kept, and none of their values', () => {
    const read = sent({ hook_event_name: 'PreCompact', tool_input: { secret: 'hunter2' }, ['__proto__x']: 1 });
    expect(read).toMatchObject({ kind: 'other', unknownNames: ['PreCompact', 'tool_input', '__proto__x'] });
    expect(JSON.stringify(read)).not.toContain('hunter2');
    expect(sent({ hook_event_name: 'constructor' })?.kind).toBe('other');
    expect(mergeNames('["a"]', ['a', 'b'])).toBe('["a","b"]');
    expect(mergeNames('["a"]', ['a'])).toBe('["a"]');
    expect(mergeNames('broken', ['b'])).toBe('["b"]');
  });

  test('of another type, or without a session or a name, is ignored', () => {
    for (const wrong of [{ session_id: 7 }, { session_id: '' }, { session_id: '\u200b' }, { message: {} }, { cwd: [] }])
      expect(sent(wrong)).toBeUndefined();
    for (const body of ['', 'null', '[]', '7', '"x"', '{', '{"hook_event_name":"Stop"}', '['.repeat(60_000)])
      expect(readEvent(body)).toBeUndefined();
  });

  test('is ignored or short and clean, whatever its content', () => {
    const members = {
      hook_event_name: fc.oneof(fc.constantFrom('Notification', 'Stop', 'SessionEnd'), fc.string({ unit: 'binary' })),
      session_id: fc.string({ unit: 'binary', maxLength: 300 }),
      cwd: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null)),
      message: fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.anything()),
    };
    fc.assert(
      fc.property(fc.record(members), fc.dictionary(fc.string({ unit: 'binary' }), fc.anything()), (known, more) => {
        let json: string;
        try {
          json = JSON.stringify({ ...more, ...known });
        } catch {
          return;
        }
        const read = readEvent(json);
        const shown = [read?.folder, read?.message, read?.reason, ...(read?.unknownNames ?? [])].join('');
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(shown.length).toBeLessThan(2_000);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});

describe('quiet hours', () => {
  test('are read as users type them', () => {
    expect(readQuietHours('22:00-7:00')).toEqual({ from: '22:00', until: '07:00' });
    for (const wrong of [
      '22-7',
      '22:00',
      '22:00-22:00',
      '25:00-07:00',
      '22:00-07:00-08:00',
      '22:60-07:00',
      'x'.repeat(99),
    ])
      expect(readQuietHours(wrong)).toBeUndefined();
  });

  test('may span midnight, and follow the clock of their person', () => {
    const night = { from: '22:00', until: '07:00' };
    const end = (zone: string, at: string) => quietUntil(night, zone, new Date(at))?.at.toISOString();
    expect(end('Europe/Berlin', '2026-03-02T20:59:00Z')).toBeUndefined();
    expect(end('Europe/Berlin', '2026-03-02T21:00:00Z')).toBe('2026-03-03T06:00:00.000Z');
    expect(end('Europe/Berlin', '2026-03-03T05:59:00Z')).toBe('2026-03-03T06:00:00.000Z');
    expect(end('Europe/Berlin', '2026-03-03T06:00:00Z')).toBeUndefined();
    expect(end('America/New_York', '2026-03-02T21:00:00Z')).toBeUndefined();
    expect(end('Nowhere/Land', '2026-03-02T22:30:00Z')).toBe('2026-03-03T07:00:00.000Z');
    expect(quietUntil({ from: '12:00', until: '13:00' }, 'UTC', new Date('2026-03-02T12:30:00Z'))).toBeDefined();
  });
});

describe('the rate limit of a token', () => {
  test('is sixty events in any minute, of which ten are reserved for urgent ones', () => {
    const rate = createRate();
    const taken = (count: number, nowMs: number, most?: number) =>
      Array.from({ length: count }, () => rate.take('a', nowMs, most)).filter(Boolean).length;
    expect(taken(70, 0, COUNTED_A_MINUTE)).toBe(COUNTED_A_MINUTE);
    expect(taken(70, 30_000)).toBe(EVENTS_A_MINUTE - COUNTED_A_MINUTE);
    expect(rate.isFull('a', 59_999)).toBe(true);
    expect(rate.isFull('a', 60_000)).toBe(false);
    expect(taken(70, 60_000)).toBe(COUNTED_A_MINUTE);
    expect(rate.isFull('b', 60_000)).toBe(false);
  });

  test('blocks no client whose clock was set back', () => {
    const rate = createRate();
    for (let count = 0; count < EVENTS_A_MINUTE; count += 1) rate.take('a', 10_000_000);
    expect(rate.isFull('a', 5_000_000)).toBe(false);
  });
});
