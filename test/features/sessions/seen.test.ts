import { describe, expect, test } from 'vitest';
import type { Computer } from '../../../src/core/platform/endpoints/computers.ts';
import { seenMessage } from '../../../src/features/sessions/session-list.ts';
import { NOT_FOUND, seenSessions, sessionSubject, type SessionView } from '../../../src/features/sessions/seen.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';

const AT = Date.parse('2026-03-02T08:00:00.000Z');
const iso = (minutes: number) => new Date(AT + minutes * 60_000).toISOString();

const computer = (name: string, sessionId: string | undefined, startedMinutes: number): Computer => ({
  id: `computer_${name}`,
  name,
  providerType: 'hosted',
  createdAt: AT,
  provisioningSteps: [{ id: 'install', installSessionId: sessionId, startedAt: AT + startedMinutes * 60_000 }],
});

const look = (id: string, minutes: number, action = 'looked at'): SessionView => ({
  about: sessionSubject(id),
  at: iso(minutes),
  action,
});

describe('the list of viewed sessions', () => {
  test('contains those of installations and viewed ones, each once, the newest first', () => {
    const computers = [computer('web', 'ses_web', 5), computer('api', 'ses_api', 30), computer('plain', undefined, 90)];
    const seen = seenSessions(computers, [look('ses_web', 60), look('ses_mine', 20), look('ses_mine', 10)]);
    expect(seen.map(({ id, computer: on, viewedAt: lookedAt }) => [id, on, lookedAt?.toISOString()])).toEqual([
      ['ses_web', 'web', iso(60)],
      ['ses_api', 'api', undefined],
      ['ses_mine', undefined, iso(20)],
    ]);
  });

  test('leaves out typed ids that are no session, unless they were found another time', () => {
    const typo = [look('ses_typo', 2, NOT_FOUND), look('ses_typo', 1)];
    const found = [look('ses_here', 4, NOT_FOUND), look('ses_here', 4), look('ses_here', 3)];
    expect(seenSessions([], [...found, ...typo]).map(({ id }) => id)).toEqual(['ses_here']);
  });

  test('leaves out ids that cannot be requested', () => {
    expect(seenSessions([computer('odd', '../../computers', 1), computer('help', 'help', 1)], [])).toEqual([]);
  });

  test('shows at most 20, within Slack’s limits, including unreadable ones', () => {
    const many = seenSessions(
      Array.from({ length: 25 }, (_, index) => computer('x'.repeat(200), `ses_${'y'.repeat(180)}${index}`, index)),
      [],
    );
    const shown = seenMessage(many, { sentence: 'The platform is having problems.', reference: 'abc' });
    expect(checkBlocks(shown.blocks, 'message')).toEqual([]);
    expect(JSON.stringify(shown.blocks).match(/"Open"/g)).toHaveLength(20);
    expect(JSON.stringify(shown.blocks)).toContain('The newest 20 of 25.');
    expect(JSON.stringify(shown.blocks)).toContain('*The computers could not be read.*');
  });
});
