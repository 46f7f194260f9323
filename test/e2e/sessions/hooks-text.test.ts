import { afterEach, describe, expect, test } from 'vitest';
import { PLANTED_REASONING } from '../../../src/sandbox/platform/model/sessions-data.ts';
import { directMessage, send, startHooksApp, tokenOf, waits } from '../../support/hooks/hooks.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { asked, startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const isSettled = ({ view }: { view: object }) => !JSON.stringify(view).includes('One moment');

/** The text of *Last answer* on a card. */
async function lastAnswer(app: Awaited<ReturnType<typeof startHooksApp>>, as: string, session: string) {
  const token = await tokenOf(app, as);
  expect(await send(app, token, waits(session))).toBe(204);
  const card = await directMessage(app, as, /Waits for you/);
  const since = app.slack.mark();
  const source = { in: 'message' as const, channel: 'dm', ts: card.ts };
  await app.slack.control.click({ as, source, actionId: 'session_hooks_answer' });
  const shown = app.slack.next('view_updated', ({ view }) => isSettled(view), { since });
  return { card, text: JSON.stringify((await shown).view) };
}

describe('*Last answer*', () => {
  test('shows the last answer of the agent, and no hidden content', async () => {
    const app = await startHooksApp({ settings: { HOOKS_SHOW_TEXT: 'true' } });
    scene = app;
    const [session = ''] = app.platform.sessionIds;
    const { text } = await lastAnswer(app, 'mia', session);
    expect(text).toContain('*assistant*');
    expect(text).not.toContain(PLANTED_REASONING);
    const roles = app.platform.requests
      .filter(({ path }) => path.endsWith('/messages'))
      .map(({ query }) => query['role']);
    expect(new Set(roles)).toEqual(new Set(['assistant']));
  });

  test('reports a session that is unknown to the platform, whatever the client calls it', async () => {
    const app = await startHooksApp({ settings: { HOOKS_SHOW_TEXT: 'true' } });
    scene = app;
    expect((await lastAnswer(app, 'mia', 'ses_unknown')).text).toContain('doesn’t know this session');
    expect((await lastAnswer(app, 'morgan', '../../computers')).text).toContain('doesn’t know this session');
    expect(asked(app.platform).filter(({ path }) => path.includes('computers'))).toEqual([]);
  });

  test('is on no card unless the operator enables it, and a forged click reads nothing', async () => {
    const app = await startHooksApp();
    scene = app;
    const token = await tokenOf(app, 'mia');
    const [session = ''] = app.platform.sessionIds;
    await send(app, token, waits(session));
    const card = await directMessage(app, 'mia', /Waits for you/);
    expect(JSON.stringify(card.blocks)).not.toContain('Last answer');
    const value = /"value":"([0-9a-f]{64})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
    const since = app.slack.mark();
    const source = { in: 'message' as const, channel: 'dm', ts: card.ts };
    const forged = { type: 'button', action_id: 'session_hooks_answer', value };
    await app.slack.control.click({ as: 'mia', source, actionId: 'session_hooks_answer', forged });
    await app.slack.next('view_updated', ({ view }) => JSON.stringify(view).includes('HOOKS_SHOW_TEXT'), { since });
    expect(asked(app.platform)).toEqual([]);
  });
});

test('/session notify reports that it is off if the operator did not set it up', async () => {
  scene = await startTestApp();
  expect((await typeCommand(scene.slack, 'mia', '/session', 'notify')).text).toContain('has to set HOOKS_PORT');
});
