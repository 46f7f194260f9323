import type { WebClient } from '@slack/web-api';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type OpenModal, loadingView, withSafeView, type ModalView } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import { readSlackFault } from '../connection/errors.ts';

const openedSchema = z.looseObject({ view: z.looseObject({ id: z.string() }) });
const updatedSchema = z.looseObject({ view: z.looseObject({ hash: z.string().max(200) }) });

/** When to look whether Slack has taken an acknowledgement in, if it was not before the first update. */
const LOOKS_AFTER_MS = [0, 100, 400, 1_500] as const;

export interface Modals {
  /**
   * Opens a modal with a loading view. A trigger is good for three seconds and one use, so this comes before anything else.
   *
   * @returns nothing when Slack did not open it, for example because it was too late
   */
  open(triggerId: string, title: string): Promise<OpenModal | undefined>;
  /**
   * The modal of that id, which stands open already.
   *
   * @param submittedHash of the view that was submitted, where the acknowledgement carries a view of its own
   */
  at(viewId: string, submittedHash?: string): OpenModal;
  /** The form of a choice, as long as it has this hash: once the form is submitted, it is not shown again. */
  whileUnchanged(viewId: string, hash: string): OpenModal;
}

export function createModals(interactive: WebClient, log: Logger): Modals {
  const at = (viewId: string, submittedHash?: string): OpenModal => {
    let unapplied = submittedHash;
    return {
      show: async (wanted) => {
        const { names: _names, ...bare } = wanted;
        const view = withSafeView(bare, log);
        const hash = unapplied;
        unapplied = undefined;
        const target = { interactive, viewId, log };
        if (hash === undefined) await update(target, view);
        else await outlast(target, view, hash);
      },
    };
  };
  const whileUnchanged = (viewId: string, hash: string): OpenModal => ({
    show: async ({ names: _names, ...bare }) => {
      const updated = await update({ interactive, viewId, log }, withSafeView(bare, log), hash);
      if (updated.kind === 'conflict') log.info({ view: viewId }, 'A form went on before a choice in it was answered');
    },
  });
  return {
    at,
    whileUnchanged,
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

interface Target {
  interactive: WebClient;
  viewId: string;
  log: Logger;
}

type Updated = { kind: 'shown'; hash: string } | { kind: 'conflict' } | { kind: 'closed' };

/**
 * Shows a view so that the view of an acknowledgement does not stand in its place afterwards. Slack does not promise to apply
 * the acknowledgement first. While the modal still has the hash of what Slack showed before, the acknowledgement is to come;
 * once the hash is another, it has been applied, and what is sent then stays.
 */
async function outlast(target: Target, view: ModalView, submittedHash: string): Promise<void> {
  let hash = submittedHash;
  for (const waitMs of LOOKS_AFTER_MS) {
    if (waitMs > 0) await delay(waitMs);
    const updated = await update(target, view, hash);
    if (updated.kind === 'closed') return;
    if (updated.kind === 'conflict') {
      await update(target, view);
      return;
    }
    hash = updated.hash;
  }
}

/** @param hash what the modal must still have */
async function update({ interactive, viewId, log }: Target, view: ModalView, hash?: string): Promise<Updated> {
  try {
    const wanted = { view_id: viewId, view, ...(hash === undefined ? {} : { hash }) };
    const answer = await interactive.apiCall('views.update', wanted);
    return { kind: 'shown', hash: updatedSchema.safeParse(answer).data?.view.hash ?? '' };
  } catch (error) {
    const fault = readSlackFault(error);
    const code = fault.kind === 'refused' ? fault.code : '';
    if (code === 'hash_conflict' && hash !== undefined) return { kind: 'conflict' };
    // The person has closed it: there is nobody to show it to.
    if (code !== 'not_found') throw error;
    log.info({ view: viewId }, 'A modal was closed before it was updated');
    return { kind: 'closed' };
  }
}
