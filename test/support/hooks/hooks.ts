import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { letTimePass } from '../scene-clock.ts';
import { freePort } from '../processes/free-port.ts';
import { typeCommand } from '../slack/conversation.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';
import { eventually } from '../waiting.ts';

/** A bot that accepts events of clients. */
export type HooksScene = Pick<TestApp, 'slack' | 'clock' | 'databaseUrl'> & { hooksUrl: string };

async function hooksSettings(): Promise<Record<'HOOKS_PORT' | 'HOOKS_URL', string>> {
  const port = await freePort();
  return { HOOKS_PORT: String(port), HOOKS_URL: `http://127.0.0.1:${port}` };
}

export async function startHooksApp(options: TestAppOptions = {}): Promise<TestApp & HooksScene> {
  const settings = await hooksSettings();
  const app = await startTestApp({ ...options, settings: { ...settings, ...options.settings } });
  return { ...app, hooksUrl: `${settings.HOOKS_URL}/hooks/v1` };
}

/** The setup code that is shown to a user. */
export async function codeOf({ slack }: Pick<HooksScene, 'slack'>, as: string): Promise<string> {
  const answer = await typeCommand(slack, as, '/session', 'notify');
  const code = /qms_[\w-]{32}/.exec(answer.text)?.[0];
  if (code === undefined) throw new Error(`No code in: ${answer.text}`);
  return code;
}

/** Exchanges a setup code as a client does. @returns the status and the token */
export async function exchange({ hooksUrl }: Pick<HooksScene, 'hooksUrl'>, code: string) {
  const answer = await fetch(hooksUrl, { method: 'POST', headers: { authorization: `Bearer ${code}` } });
  return { status: answer.status, token: await answer.text() };
}

/** The token that the client of a user gets. */
export async function tokenOf(scene: Pick<HooksScene, 'slack' | 'hooksUrl'>, as: string): Promise<string> {
  const { status, token } = await exchange(scene, await codeOf(scene, as));
  if (status !== 200) throw new Error(`The code was answered with ${status}: ${token}`);
  return token;
}

export interface Sent {
  hook_event_name: string;
  session_id: string;
  [member: string]: unknown;
}

/** Sends an event as a client does. @returns the status */
export async function send(scene: Pick<HooksScene, 'hooksUrl'>, token: string, event: Sent | string): Promise<number> {
  const answer = await fetch(scene.hooksUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: typeof event === 'string' ? event : JSON.stringify(event),
  });
  await answer.arrayBuffer();
  return answer.status;
}

export const waits = (session: string, message = 'May I run the migration?', cwd = '/home/mia/web'): Sent => ({
  hook_event_name: 'Notification',
  session_id: session,
  cwd,
  message,
});
export const stops = (session: string, cwd = '/home/mia/web'): Sent => ({
  hook_event_name: 'Stop',
  session_id: session,
  cwd,
});
export const ends = (session: string, reason: string): Sent => ({
  hook_event_name: 'SessionEnd',
  session_id: session,
  cwd: '/home/mia/web',
  reason,
});
export const tool = (session: string): Sent => ({
  hook_event_name: 'PostToolUse',
  session_id: session,
  cwd: '/home/mia/web',
});

/** The direct messages of the bot to a user, oldest first, as they are now. */
export async function directMessages({ slack }: Pick<HooksScene, 'slack'>, as: string): Promise<MessageView[]> {
  const { channels } = await slack.control.state({ as });
  return channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
}

/**
 * Waits until one of the user's direct messages fits. The clock runs faster during the wait: channels rest for a
 * second.
 */
export async function directMessage(
  scene: Pick<HooksScene, 'slack' | 'clock'>,
  as: string,
  fits: RegExp,
): Promise<MessageView> {
  let all: MessageView[] = [];
  return eventually(
    async () => {
      all = await directMessages(scene, as);
      return all.find(({ text }) => fits.test(text));
    },
    () => `a message to ${as} that fits ${String(fits)}; there are: ${all.map(({ text }) => text).join(' / ')}`,
    () => letTimePass(scene),
  );
}

/** The copyable texts of a message, in order. */
export function copiedFrom({ blocks }: Pick<MessageView, 'blocks'>): string[] {
  return blocks.flatMap((block) => {
    const elements = Array.isArray(block['elements']) ? block['elements'] : [];
    return elements
      .filter(({ type }) => type === 'rich_text_preformatted')
      .map((element) => String(element.elements[0].text));
  });
}
