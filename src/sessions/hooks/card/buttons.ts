import { button, type Button } from '../../../slack/blocks/blocks.ts';
import { markup } from '../../../base/text/markup.ts';
import type { HookSession } from '../core/tables.ts';

export const MUTE_ACTION = 'session_hooks_mute';
export const UNMUTE_ACTION = 'session_hooks_unmute';
export const OFF_ACTION = 'session_hooks_off';
export const ANSWER_ACTION = 'session_hooks_answer';
export const NEW_TOKEN_ACTION = 'session_hooks_new_token';
export const TEST_ACTION = 'session_hooks_test';

/** @param canShowText of the settings: the platform's text of the session may be shown */
export function cardButtons({ id, muted_at: mutedAt }: HookSession, canShowText: boolean): Button[] {
  if (mutedAt !== null) return [button({ text: 'Unmute', actionId: UNMUTE_ACTION, value: id })];
  const answer = button({ text: 'Last answer', actionId: ANSWER_ACTION, value: id });
  return [
    ...(canShowText ? [answer] : []),
    button({ text: 'Mute this session', actionId: MUTE_ACTION, value: id }),
    offButton('Off'),
  ];
}

export function offButton(text: string): Button {
  return button({
    text,
    actionId: OFF_ACTION,
    confirm: {
      title: 'Turn it off?',
      text: markup`You get no more messages about your agent, and your token stops working.`,
      confirm: 'Turn off',
      deny: 'Keep',
    },
  });
}

export function newTokenButton(): Button {
  return button({
    text: 'New token',
    actionId: NEW_TOKEN_ACTION,
    confirm: {
      title: 'Make a new token?',
      text: markup`The one you have stops working at once, on every computer that uses it.`,
      confirm: 'Make one',
      deny: 'Keep mine',
    },
  });
}

export const testButton = (): Button => button({ text: 'Send a test', actionId: TEST_ACTION });
