import { markup } from '../../../../core/base/text/markup.ts';
import { explainButton } from '../../../../core/figures/explanation/explanation-modal.ts';
import { button, type Button } from '../../../../core/slack/blocks/blocks.ts';
import { buttonAbout, deleteButton } from '../../../../core/slack/blocks/messages.ts';
import { pauseButton } from '../../../../core/watches/pausing.ts';
import type { StoredBudget } from './budget-store.ts';

export const NEW_ACTION = 'budget_new';
export const FINISH_ACTION = 'budget_finish';
export const SHOW_ACTION = 'budget_show';
export const EDIT_ACTION = 'budget_edit';
export const REMOVE_ACTION = 'budget_remove';

export const TEST_ACTION = 'budget_test';
export const EXPLAIN_ACTION = 'budget_explain';
/** In the modal of `EXPLAIN_ACTION`. */
export const CHECK_ACTION = 'budget_check_now';

export const explainBudgetButton = (id: string): Button => explainButton(EXPLAIN_ACTION, id);

export const newButton = (): Button => button({ text: 'New budget', actionId: NEW_ACTION, style: 'primary' });

export const showButton = buttonAbout(SHOW_ACTION, 'Details');
export const editButton = buttonAbout(EDIT_ACTION, 'Edit budget');

export const PAUSE_PREFIX = 'budget';

export const pauseBudgetButton = ({ id, state }: Pick<StoredBudget, 'id' | 'state'>): Button =>
  pauseButton(PAUSE_PREFIX, { state }, id);

export const removeButton = (id: string, title: string): Button =>
  deleteButton(REMOVE_ACTION, 'budget', id, markup`${title} stops sending warnings. Posted messages stay.`);
