import { commandText } from '../../../core/slack/commands/command-text.ts';
import { button, type Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonAbout, runCommandButtons } from '../../../core/slack/blocks/messages.ts';
import { markup } from '../../../core/base/text/markup.ts';

export const CREATE_ACTION = 'computers_create';
export const ANOTHER_ACTION = 'computers_another';
export const AGAIN_ACTION = 'computers_again';
export const RETRY_ACTION = 'computers_retry';
export const MORE_ACTION = 'computers_more';

export const createButton = () => button({ text: 'New computer', actionId: CREATE_ACTION, style: 'primary' });

export const anotherButton = buttonAbout(ANOTHER_ACTION, 'Create another one of that name');
export const againButton = buttonAbout(AGAIN_ACTION, 'Try again', 'primary');

export const retryButton = (computerId: string, name: string): Button =>
  button({
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

export const detailsButtons = (computerId: string) =>
  runCommandButtons('Details', '/computers', commandText`show ${computerId}`);
