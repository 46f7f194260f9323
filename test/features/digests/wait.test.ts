import { describe, expect, test } from 'vitest';
import { decideDigest } from '../../../src/features/digests/core/wait.ts';
import { buildDigest, type DigestView } from '../../../src/features/digests/message/digest-message.ts';
import type { SectionReading } from '../../../src/core/feature.ts';
import { section } from '../../../src/core/slack/blocks/blocks.ts';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const PLANNED = new Date('2026-03-02T09:00:00Z');
const at = (time: string) => new Date(`2026-03-02T${time}Z`);
const ready: SectionReading = {
  kind: 'ready',
  blocks: [section(markup`12 credits`)],
  text: markup`12 credits`,
  figures: {},
  isQuiet: false,
};

describe('the time at which a digest is sent', () => {
  test('is at once if every day is published', () => {
    expect(decideDigest([ready, ready], PLANNED, PLANNED)).toEqual({ kind: 'send', isComplete: true });
  });

  test('is delayed by ten minutes at a time while the platform lacks a day', () => {
    expect(decideDigest([ready, { kind: 'unpublished' }], PLANNED, at('10:00:00'))).toEqual({
      kind: 'wait',
      until: at('10:10:00'),
      reason: 'The platform had not published the day.',
    });
  });

  test.each([
    ['09:00:00', '09:00:30'],
    ['09:00:30', '09:01:00'],
    ['09:02:00', '09:04:00'],
    ['10:00:00', '10:10:00'],
  ])(
    'follows an unreadable platform: after a failure at %s the next attempt is at %s, with pauses that grow to ten minutes',
    (now, until) => {
      expect(decideDigest([ready, { kind: 'unreadable' }], PLANNED, at(now))).toEqual({
        kind: 'wait',
        until: at(until),
        reason: 'The platform could not be read.',
      });
    },
  );

  test('is never more than six hours after the planned time', () => {
    expect(decideDigest([{ kind: 'unpublished' }], PLANNED, at('14:55:00'))).toMatchObject({ until: at('15:00:00') });
    expect(decideDigest([{ kind: 'unpublished' }], PLANNED, at('15:00:00'))).toEqual({
      kind: 'send',
      isComplete: false,
    });
  });
});

describe('a digest', () => {
  const view: DigestView = {
    cadence: 'daily',
    period: { first: '2026-03-01', last: '2026-03-01' },
    sections: [{ id: 'summary', title: 'Usage', reading: ready, readAt: PLANNED }],
    audience: undefined,
    dueAt: PLANNED,
    sentAt: PLANNED,
    waitedFor: undefined,
    corrections: [],
    quietButtonValue: undefined,
  };

  test('that is on time does not mention when it was due', () => {
    expect(mrkdwnOf(buildDigest(view).message.text)).toBe('Daily digest, Sun 1 Mar (UTC)\n12 credits');
  });

  test('that is late names the delay and the reason', () => {
    const late = buildDigest({ ...view, sentAt: at('13:00:00') });
    expect(mrkdwnOf(late.message.text)).toContain('4 hours late: Quartermaster was down.');
    const waited = buildDigest({
      ...view,
      sentAt: at('13:00:00'),
      waitedFor: 'The platform had not published the day.',
    });
    expect(mrkdwnOf(waited.message.text)).toContain('4 hours late: Sunday’s figures came late.');
  });
});

describe('a digest with little to say', () => {
  const quiet = (id: string, unchanged: string) => ({
    id,
    title: id,
    reading: { ...ready, unchanged },
    readAt: PLANNED,
  });
  const said = (sections: DigestView['sections']) =>
    mrkdwnOf(
      buildDigest({
        cadence: 'daily',
        period: { first: '2026-03-01', last: '2026-03-01' },
        sections,
        audience: undefined,
        dueAt: PLANNED,
        sentAt: PLANNED,
        waitedFor: undefined,
        corrections: [],
        quietButtonValue: undefined,
      }).message.text,
    );

  test('names in one line what did not change', () => {
    expect(said([quiet('readiness', 'readiness'), quiet('controls', 'enterprise controls')])).toBe(
      'Daily digest, Sun 1 Mar (UTC)\nNo changes: readiness, enterprise controls.',
    );
  });

  test('reports a missing day once, and shows no empty section', () => {
    const missing = { id: 'people', title: 'People', readAt: PLANNED };
    const empty = { kind: 'unpublished' as const, blocks: [], text: markup``, figures: {}, isQuiet: true };
    expect(said([{ ...missing, reading: empty }])).toBe(
      'Daily digest, Sun 1 Mar (UTC)\n⏳ Sunday’s figures aren’t out yet. This message will fill in when they are.',
    );
  });
});
