import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf, startToolsApp, type ToolsScene } from '../../support/ask/tools.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: ToolsScene;
beforeAll(async () => {
  scene = await startToolsApp({ settings: { MCP_PEOPLE: 'true', MIN_GROUP: '2' } });
});
afterAll(async () => {
  await scene.close();
});

const PEOPLE = [
  ['mia', 'U0MIA'],
  ['morgan', 'U0MORGAN'],
  ['ada', 'U0ADA'],
] as const;
const PERIODS = [
  '',
  '7d',
  '28d',
  'last week',
  'last month',
  'february',
  'since feb 20',
  '2026-02-03..2026-02-09',
  'q1',
  'nonsense',
];
const SIDES = ['', 'credits', 'models', 'tools', 'activity', 'productivity', 'people', 'teams', 'moved'];
/** As a tool names it, and as it is typed. */
const SUBJECTS = [
  ['', ''],
  ['me', 'me'],
  ['Nora Lindqvist', 'nora.member@acme.example'],
  ['max.member@acme.example', 'max.member@acme.example'],
  ['@web-team', '@web-team'],
  ['platform-leads', '@platform-leads'],
] as const;

/** Numbers as people read them, without times, references and the ids of Slack. */
const numbersIn = (text: string) =>
  text.replaceAll(/<[^>]*>|reference [0-9a-f]+|\d{4}-\d\d-\d\d \d\d:\d\d/gi, '').match(/\d[\d,.]*\d?(?: ?[KMB%])?/g) ??
  [];

test('a tool shows the figures of the slash command, for every role, period and subject', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PEOPLE),
      fc.constantFrom(...PERIODS),
      fc.constantFrom(...SIDES),
      fc.constantFrom(...SUBJECTS),
      async ([handle, slackId], period, side, [subject, typedSubject]) => {
        const words = [side, period, typedSubject].filter((word) => word !== '').join(' ');
        const command = await typeCommand(scene.slack, handle, '/usage', words);
        const tool = await scene.slackbot.call('usage', { period, side, subject }, identityOf(slackId));
        const [{ text } = { text: '' }] = tool.content;
        expect([words, numbersIn(text)]).toEqual([words, numbersIn(command.text)]);
        await moveClock(scene, new Date(scene.clock.now().getTime() + 10_000));
      },
    ),
    { numRuns: propertyRuns(300) },
  );
}, 180_000);
