import { commandText } from '../../slack/commands/command-text.ts';
import { button, type Button } from '../../slack/blocks/blocks.ts';
import { runCommandButtons } from '../../slack/blocks/messages.ts';
import { markup } from '../../base/text/markup.ts';

export const CREATE_ACTION = 'computers_create';
export const ANOTHER_ACTION = 'computers_another';
export const AGAIN_ACTION = 'computers_again';
export const RETRY_ACTION = 'computers_retry';
export const MORE_ACTION = 'computers_more';

export const createButton = () => button({ text: 'New computer', actionId: CREATE_ACTION, style: 'primary' });

export const anotherButton = (orderId: string) =>
  button({ text: 'Create another one of that name', actionId: ANOTHER_ACTION, value: orderId });

export const againButton = (orderId: string) =>
  button({ text: 'Try again', actionId: AGAIN_ACTION, value: orderId, style: 'primary' });

export function retryButton(computerId: string, name: string): Button {
  return button({
    text: 'Retry install',
    actionId: RETRY_ACTION,
    value: computerId,
    confirm: {
      title: 'Reinstall the dependencies?',
      text: markup`Reinstall the dependencies of ${name}?`,
      confirm: 'Retry',
      deny: 'Leave it',
    },
  });
}

export const detailsButtons = (computerId: string) =>
  runCommandButtons('Details', '/computers', commandText`show ${computerId}`);
