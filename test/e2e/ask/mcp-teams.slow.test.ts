import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolAnswer } from '../../../src/sandbox/slackbot/slackbot.ts';
import { identityOf, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { untilState } from '../../support/limits/limits.ts';
import { MIA_EMAIL } from '../../support/limits/policies.ts';
import { approve, createTeam, requestOfMia, setMembers, TEAM_SETTINGS } from '../../support/limits/teams.ts';
import { typeCommand } from '../../support/slack/conversation.ts';

let scene: ToolsScene;
let policy: string;
const start = async (settings: Record<string, string> = {}) => {
  scene = await startToolsApp({
    at: new Date('2026-03-12T09:00:00Z'),
    settings: { ...TEAM_SETTINGS, MIN_GROUP: '1', ...settings },
  });
  await setLimit(scene, { email: MIA_EMAIL, value: 900_000_000, at: '2026-02-20T10:00:00.000Z' });
  policy = await createTeam(scene);
  const id = await requestOfMia(scene, '1b');
  await approve(scene, id);
  await untilState(scene, id, 'applied');
  await requestOfMia(scene, '1.05b');
};
beforeEach(() => start());
afterEach(() => scene.close());

const ask = (slackId: string, subject: string) => scene.slackbot.call('limits', { subject }, identityOf(slackId));
const textOf = ({ content }: ToolAnswer) => content.map(({ text }) => text).join('\n');
const typed = async (as: string, words: string) => (await typeCommand(scene.slack, as, '/limits', words)).text;

/** The figures of a pool in a text, in their order. */
const figuresOf = (text: string) => text.match(/[\d.]+ [KMB] (?:of [\d.]+ [KMB] granted|left|expected)/g);

const OTHERS = /Mia Chen|mia\.member|1 B until|1\.05 B/;

describe('the tool about limits answers about a team', () => {
  test.each(['teams', 'all teams', '@web-team', 'web-team'])(
    'to an admin who asks for “%s”, with the figures of /limits teams',
    async (subject) => {
      const answer = await ask('U0ADA', subject);
      expect(answer.isError).toBeUndefined();
      const text = textOf(answer);
      expect(text).toMatch(/@web-team.*active/);
      expect(text).toContain('100 M of 300 M granted');
      expect(text).toMatch(/Used by its members: .* expected at the end/);
      expect(text).toContain('Leads: @Nora Lindqvist, up to 2 B a person');
      expect(text).toContain('1 request waits for a decision');
      expect(figuresOf(text)).toEqual(figuresOf(await typed('ada', 'teams')));
      expect(JSON.stringify(answer)).not.toMatch(OTHERS);
    },
  );

  test.each(['team', 'my team', 'web-team'])(
    'to a lead who asks for “%s”, with the pool and no limit or request of another person',
    async (subject) => {
      const answer = await ask('U0NORA', subject);
      const text = textOf(answer);
      expect(text).toContain('You lead this team: you decide its requests up to 2 B a person');
      expect(text).toContain('100 M of 300 M granted');
      expect(text).toContain('1 request waits for a decision');
      expect(text).toContain('Your limit: not known');
      // Figures of teams are for managers.
      expect(text).not.toMatch(/members used|Used by/);
      expect(figuresOf(text)).toEqual(figuresOf(await typed('nora', 'team')));
      expect(JSON.stringify(answer)).not.toMatch(OTHERS);
      expect(await typed('nora', 'team')).toContain('1 B until');
    },
  );

  test('to a member, with their own limit and who decides, without the use or the requests of the team', async () => {
    const text = textOf(await ask('U0MIA', 'my team'));
    expect(text).toContain('@Nora Lindqvist decides about your limit up to 2 B');
    expect(text).toContain('200 M left');
    expect(text).toContain('Your limit: 1 B until');
    expect(text).not.toMatch(/Used by|waits/);
  });

  test('to nobody else: neither a former lead, nor a person of another team, nor a guest', async () => {
    setMembers(scene, ['U0MIA']);
    for (const [slackId, subject] of [
      ['U0NORA', 'team'],
      ['U0NORA', 'web-team'],
      ['U0MAX', 'team'],
      ['U0MAX', '@web-team'],
      ['U0MAX', 'teams'],
      ['U0NORA', 'teams'],
      ['U0GUS', 'team'],
    ] as const) {
      const answer = JSON.stringify(await ask(slackId, subject));
      expect([slackId, subject, answer]).not.toEqual([slackId, subject, expect.stringMatching(/granted|left|300/)]);
    }
    expect(textOf(await ask('U0NORA', 'team'))).toContain('You are in no team with leads');
  });

  test('changes nothing, and opens no rules of a team', async () => {
    for (const subject of ['teams new', `teams ${policy}`, 'policies stop', 'policies'])
      expect([subject, (await ask('U0ADA', subject)).isError]).toEqual([subject, true]);
  });
});

test('what a small team used stays private in the tool, and its pool does not', async () => {
  await scene.close();
  await start({ MIN_GROUP: '5' });
  for (const [slackId, subject] of [
    ['U0ADA', 'teams'],
    ['U0ADA', 'web-team'],
  ] as const) {
    const text = textOf(await ask(slackId, subject));
    expect(text).toContain('100 M of 300 M granted');
    expect(text).toContain('What its members used stays private: it could reveal the use of single people.');
    expect(text).not.toMatch(/Used by|expected/);
  }
  expect(await typed('ada', 'teams')).toMatch(/Used by its members/);
});

test('of a team that is large enough, the tool shows the use, but no forecast that reveals single days', async () => {
  await scene.close();
  await start({ MIN_GROUP: '2' });
  const text = textOf(await ask('U0ADA', 'teams'));
  expect(text).toMatch(/Used by its members: [\d.]+ [KM] as of [\w ]+$/m);
  expect(text).toContain(/Used by its members: [\d.]+ [KM]/.exec(await typed('ada', 'teams'))?.[0]);
});

test('with MCP_PEOPLE=true the tool answers a lead like /limits team', async () => {
  await scene.close();
  await start({ MCP_PEOPLE: 'true' });
  expect(textOf(await ask('U0NORA', 'team'))).toContain('Mia Chen: 1 B until');
  expect(textOf(await ask('U0MIA', 'team'))).not.toContain('Nora Lindqvist:');
});
