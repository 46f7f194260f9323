import type { Feature } from '../feature.ts';
import { AGAIN_ACTION, ANOTHER_ACTION, CREATE_ACTION, MORE_ACTION, RETRY_ACTION } from './core/buttons.ts';
import { cardDelivery, doneDelivery, editDelivery } from './card/delivery.ts';
import { createAnother, readCreation, showAgain, showCreateForm } from './create/handlers.ts';
import { CREATE_FORM, CREATE_TITLE } from './create/form.ts';
import { readComputersCommand, retryByButton, showMore } from './handlers.ts';
import { noticeDelivery } from './create/notice.ts';
import type { ComputerParts } from './core/parts.ts';
import { COMPUTERS_HELP } from './commands.ts';
import { takeOver } from './create/recover.ts';

/** `/computers`: the machines on which sessions run; new ones, each asked for once and followed until it is ready. */
export function createComputersFeature(parts: ComputerParts): Feature {
  const role = parts.config.computersRole;
  const inModal = { role, modalTitle: CREATE_TITLE };
  return {
    name: 'computers',
    commands: [{ help: COMPUTERS_HELP, role: 'member', read: (words) => readComputersCommand(parts, words) }],
    actions: [
      { ...inModal, actionId: CREATE_ACTION, runInModal: (click, opened) => showCreateForm(parts, click, opened) },
      { ...inModal, actionId: ANOTHER_ACTION, runInModal: (click, opened) => createAnother(parts, click, opened) },
      { ...inModal, actionId: AGAIN_ACTION, runInModal: (click, opened) => showAgain(parts, click, opened) },
      { actionId: RETRY_ACTION, role, isKept: true, run: (click) => retryByButton(parts, click) },
      { actionId: MORE_ACTION, role: 'member', run: (click) => showMore(parts, click) },
    ],
    forms: [{ callbackId: CREATE_FORM, role, read: (state, metadata) => readCreation(parts, state, metadata) }],
    jobs: [{ name: 'take-over-computers', run: () => takeOver(parts) }],
    deliveryKinds: {
      'computer-card': cardDelivery(parts),
      'computer-edit': editDelivery(parts),
      'computer-done': doneDelivery(parts),
      'computer-notice': noticeDelivery(parts),
    },
  };
}
