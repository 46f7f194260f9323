import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PLANTED_REASONING } from '../../../src/sandbox/platform/model/sessions-data.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { asked, startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

const ask = (text: string, as = 'ada') => typeCommand(scene.slack, as, '/session', text);
const longest = () => scene.platform.sessionIds[0] ?? '';

async function turn(answer: Awaited<ReturnType<typeof ask>>, label: string) {
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', answer, label);
  return nextAnswer(scene.slack, since);
}

describe('/session', () => {
  test('shows the newest page of visible content, and pages in both directions', async () => {
    const newest = await ask(longest());
    expect(newest.text).toMatch(/Messages (\d+) to (\d+) of \2, oldest first\./);
    const older = await turn(newest, 'Older');
    expect(older.text).not.toBe(newest.text);
    const again = await turn(older, 'Newer');
    expect(again.text).toBe(newest.text);
  });

  test('never shows reasoning, signatures or encrypted content, in no page, file or log', async () => {
    const answer = await ask(longest());
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', answer, 'Save as text');
    const { file } = await scene.slack.next('file_shared', undefined, { since });
    const response = await fetch(new URL(file.downloadPath, scene.slack.apiUrl), {
      headers: { authorization: `Bearer ${scene.slack.botToken}` },
    });
    const content = await response.text();
    expect(content).toContain('assistant');
    for (const place of [everythingIn(answer), content, JSON.stringify(scene.log)]) {
      expect(place).not.toContain(PLANTED_REASONING);
    }
  });

  test('filters by role, and mentions hidden messages', async () => {
    expect((await ask(`${longest()} user`)).text).toContain('user, 2026-');
    const tools = await ask(`${longest()} tool`);
    expect(tools.text).toContain(', error: Error: connect ECONNREFUSED');
    expect(tools.text).toMatch(/\d+ more messages not shown: the platform does not mark them as visible\./);
    const roles = scene.platform.requests
      .filter(({ path }) => path.endsWith('/messages'))
      .map(({ query }) => query['role']);
    expect(roles).toContain('tool');
  });

  test('reads from a computer directly', async () => {
    await ask(`${longest()} computer computer_7`);
    const asked = scene.platform.requests.filter(({ path }) => path.endsWith('/messages'));
    expect(asked.every(({ query }) => query['computerId'] === 'computer_7')).toBe(true);
  });

  test('is for admins, has no button that shares, and each view is recorded before it is read', async () => {
    expect((await ask(longest(), 'morgan')).text).toContain(onlyFor('admin', 'Reading sessions'));
    expect(scene.platform.requests.filter(({ path }) => path.includes('/sessions/'))).toEqual([]);
    const answer = await ask(longest());
    expect(answer.isEphemeral).toBe(true);
    expect(JSON.stringify(answer.blocks)).not.toContain('Share');
    const db = readDatabase(scene.databaseUrl);
    const looks = await db.selectFrom('audit').selectAll().where('about', '=', `session:${longest()}`).execute();
    await db.destroy();
    expect(looks).toMatchObject([{ actor: 'U0ADA', action: 'looked at' }]);
  });

  test('with an unknown or malformed id is refused clearly', async () => {
    expect((await ask('ses_unknown')).text).toBe('The platform knows no session “ses_unknown”. Check the id.');
    expect((await ask('../../computers')).text).toContain('That’s not the id of a session');
    expect((await ask('x'.repeat(1_400))).text).toContain('That’s too long for the id of a session');
    expect(asked(scene.platform).every(({ path }) => path.endsWith('/ses_unknown/messages'))).toBe(true);
  });

  test('without messages reports it', async () => {
    expect((await ask(scene.platform.sessionIds[4] ?? '')).text).toContain('There is no message');
  });
});

describe('/session without an id', () => {
  test('lists recently viewed sessions, the newest first, and opens one', async () => {
    expect((await ask('')).text).toMatch(/`ses_install_\w+`\nInstall on /);
    const [first = '', second = ''] = scene.platform.sessionIds;
    await ask(first);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 60_000));
    await ask(second);
    const list = await ask('');
    expect(list.isEphemeral).toBe(true);
    expect(list.text.indexOf(second)).toBeGreaterThan(0);
    expect(list.text.indexOf(first)).toBeGreaterThan(list.text.indexOf(second));
    expect(list.text).toContain('Looked at by you');
    const since = scene.slack.mark();
    const blockId = String(list.blocks.find((block) => JSON.stringify(block).includes(second))?.['block_id']);
    const source = { in: 'message' as const, channel: 'general', ts: list.ts };
    await scene.slack.control.click({ as: 'ada', source, blockId, actionId: 'session_page' });
    expect((await nextAnswer(scene.slack, since)).text).toContain(`Session ${second}`);
  });

  test('leaves out ids that proved to be no session, and sessions that others viewed', async () => {
    await ask('ses_unknown');
    expect((await ask('')).text).not.toContain('ses_unknown');
    await ask(longest());
    expect((await ask('', 'nora')).text).not.toContain(longest());
  });

  test('is refused to users who may not read sessions', async () => {
    expect((await ask('', 'morgan')).text).toContain(onlyFor('admin', 'Reading sessions'));
    expect((await ask('', 'gus')).text).toContain('guests can’t');
    expect(asked(scene.platform)).toEqual([]);
  });
});

describe('without a setting about sessions', () => {
  test('all users are refused, admins too, and the help offers only available commands', async () => {
    const silent = await startTestApp({ settings: { SESSIONS_ROLE: '' } });
    const refused = await typeCommand(silent.slack, 'ada', '/session', silent.platform.sessionIds[0] ?? '');
    expect(refused.text).toBe(onlyFor('nobody', 'Reading sessions'));
    expect((await typeCommand(silent.slack, 'ada', '/session', '')).text).toContain(
      onlyFor('nobody', 'Reading sessions'),
    );
    expect((await typeCommand(silent.slack, 'ada', '/session', 'help')).text).not.toContain('ses_1a2b');
    const own = await typeCommand(silent.slack, 'mia', '/quartermaster', '');
    expect(own.text).toContain('/session`  your own agent, by direct message.');
    expect(silent.platform.requests.filter(({ path }) => path.includes('/sessions/'))).toEqual([]);
    await silent.close();
  });
});
