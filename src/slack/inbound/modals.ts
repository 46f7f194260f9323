import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type OpenModal, loadingView, withSafeView, type ModalView } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import { readSlackFault } from '../connection/errors.ts';

const openedSchema = z.looseObject({ view: z.looseObject({ id: z.string() }) });

/** Opens and updates modals. */
export interface Modals {
  /**
   * Opens a modal with a loading view. A trigger is good for three seconds and one use, so this comes before anything else.
   *
   * @returns nothing when Slack did not open it, for example because it was too late
   */
  open(triggerId: string, title: string): Promise<OpenModal | undefined>;
  /** The modal of that id, which stands open already. */
  at(viewId: string): OpenModal;
}

export function createModals(interactive: WebClient, log: Logger): Modals {
  const at = (viewId: string): OpenModal => ({
    show: async (view) => {
      await update(interactive, viewId, withSafeView(view, log), log);
    },
  });
  return {
    at,
    open: async (triggerId, title) => {
      try {
        const wanted = { trigger_id: triggerId, view: loadingView(title) };
        const { view } = openedSchema.parse(await interactive.apiCall('views.open', wanted));
        return at(view.id);
      } catch (error) {
        log.warn({ err: error, title }, 'Slack did not open a modal');
        return undefined;
      }
    },
  };
}

async function update(interactive: WebClient, viewId: string, view: ModalView, log: Logger): Promise<void> {
  try {
    await interactive.apiCall('views.update', { view_id: viewId, view });
  } catch (error) {
    const fault = readSlackFault(error);
    // The person has closed it: there is nobody to show it to.
    if (fault.kind !== 'refused' || fault.code !== 'not_found') throw error;
    log.info({ view: viewId }, 'A modal was closed before it was updated');
  }
}
