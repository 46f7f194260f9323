import { button, type Button } from '../../../../core/slack/blocks/blocks.ts';
import { markup } from '../../../../core/base/text/markup.ts';
import type { HookSession } from '../core/session-tables.ts';

export const ACTIONS = {
  mute: 'session_hooks_mute',
  unmute: 'session_hooks_unmute',
  off: 'session_hooks_off',
  answer: 'session_hooks_answer',
  newToken: 'session_hooks_new_token',
  test: 'session_hooks_test',
  details: 'session_hooks_details',
} as const;

/** @param canShowText whether the settings allow the platform’s text of the session */
export function cardButtons({ id, mutedAt }: HookSession, canShowText: boolean): Button[] {
  if (mutedAt !== null) return [button({ text: 'Unmute', actionId: ACTIONS.unmute, value: id })];
  const answer = button({ text: 'Last answer', actionId: ACTIONS.answer, value: id });
  return [
    ...(canShowText ? [answer] : []),
    button({ text: 'Mute this session', actionId: ACTIONS.mute, value: id }),
    offButton(),
  ];
}

export const offButton = (): Button =>
  button({
    text: 'Turn off',
    actionId: ACTIONS.off,
    confirm: {
      title: 'Turn it off?',
      text: markup`You no longer get messages about your agent, and your token stops working.`,
      deny: 'Keep',
    },
  });

export const newTokenButton = (): Button =>
  button({
    text: 'New token',
    actionId: ACTIONS.newToken,
    confirm: {
      title: 'Make a new token?',
      text: markup`The one you have stops working at once, on every computer that uses it.`,
      confirm: 'Make one',
      deny: 'Keep mine',
    },
  });

export const detailsButton = (): Button => button({ text: 'Details', actionId: ACTIONS.details });

export const testButton = (): Button => button({ text: 'Send a test', actionId: ACTIONS.test });
