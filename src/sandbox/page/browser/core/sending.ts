import type { ChannelView } from '../../../slack/people/control-types.ts';
import { readWritten, type Written } from './composer/composer-commands.ts';
import type { Session } from './session.ts';

/** Does what Slack does when a person presses Enter in the message field. Rejects if the sandbox refuses it. */
export async function sendWritten(
  session: Session,
  channel: ChannelView,
  text: string,
  threadTs: string | null,
): Promise<void> {
  const commands = session.state.snapshot?.app.commands.map(({ command }) => command) ?? [];
  const written = readWritten(text, commands);
  if (written.kind === 'message') {
    if (written.text === '') return;
    await session.act('post', { channel: channel.id, text: written.text, ...(threadTs === null ? {} : { threadTs }) });
    return;
  }
  if (threadTs !== null) {
    session.notify('Slack runs no commands in threads. Send it in the channel.', 'error');
    return;
  }
  await runCommand(session, channel.id, written);
}

async function runCommand(
  session: Session,
  channel: string,
  written: Exclude<Written, { kind: 'message' }>,
): Promise<void> {
  switch (written.kind) {
    case 'command': {
      const { command, text } = written;
      const delivery = await session.act('command', { channel, command, text });
      // Slackbot itself reports a missing answer of the app; only the page can report an invalid one.
      if (delivery.response !== null) session.report(command, delivery);
      return;
    }
    case 'invite':
    case 'remove': {
      const appName = session.state.snapshot?.app.name.toLowerCase();
      const who = written.who.toLowerCase() === appName ? 'app' : written.who;
      if (who === '') session.notify(`Name a person: /${written.kind} @name`, 'error');
      else await session.act(written.kind === 'invite' ? 'invite' : 'kick', { channel, who });
      return;
    }
    case 'join':
    case 'leave':
    case 'archive':
    case 'unarchive':
      await session.act(written.kind, { channel });
      return;
    case 'unknown command':
      session.notify(`${written.command} is not a command here. Type / to see the available commands.`, 'error');
  }
}
