import { formHandler } from '../../core/slack/interactions/forms.ts';
import type { Feature } from '../../core/feature.ts';
import { modalActions } from '../../core/slack/interactions/click-actions.ts';
import { AGAIN_ACTION, ANOTHER_ACTION, CREATE_ACTION, MORE_ACTION, RETRY_ACTION } from './core/computer-buttons.ts';
import { replaceLostCards } from './card/lost-cards.ts';
import { cardMessages } from './card/write-computer-cards.ts';
import {
  createAnother,
  readCreation,
  showAgain,
  showCreateForm,
  showProviderFields,
} from './create/create-computer-handlers.ts';
import { CREATE_FORM, CREATE_TITLE, PROVIDER_ACTION } from './create/computer-form.ts';
import { readComputersCommand, retryByButton, showMore } from './computer-handlers.ts';
import { noticeMessage } from './create/notice.ts';
import type { ComputerDeps } from './core/computers-deps.ts';
import { COMPUTERS_HELP } from './computers-command.ts';
import { resumeAbandoned } from './create/recover.ts';

export function createComputersFeature(deps: ComputerDeps): Feature {
  const role = deps.config.computersRole;
  return {
    name: 'computers',
    commands: [{ help: COMPUTERS_HELP, role: 'member', read: (words) => readComputersCommand(deps, words) }],
    actions: [
      ...modalActions(deps, role, CREATE_TITLE, {
        [CREATE_ACTION]: showCreateForm,
        [PROVIDER_ACTION]: showProviderFields,
        [ANOTHER_ACTION]: createAnother,
        [AGAIN_ACTION]: showAgain,
      }),
      { actionId: RETRY_ACTION, role, isKept: true, run: (click) => retryByButton(deps, click) },
      { actionId: MORE_ACTION, role: 'member', run: (click) => showMore(deps, click) },
    ],
    forms: [formHandler(CREATE_FORM, role, (state, metadata) => readCreation(deps, state, metadata))],
    jobs: [
      {
        name: 'take-over-computers',
        cron: '* * * * *',
        purpose: 'follows computers whose process stopped',
        run: () => resumeAbandoned(deps),
      },
      {
        name: 'replace-lost-computer-cards',
        cron: '* * * * *',
        purpose: 'posts a card for each computer without one',
        run: () => replaceLostCards(deps),
      },
    ],
    messages: [...cardMessages(deps), noticeMessage(deps)],
  };
}
