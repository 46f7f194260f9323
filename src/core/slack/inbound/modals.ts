import type { WebClient } from '@slack/web-api';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type OpenModal, loadingView, withSafeView, type ModalView } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import { readSlackFault } from '../client/errors.ts';

const openedSchema = z.looseObject({ view: z.looseObject({ id: z.string() }) });
const updatedSchema = z.looseObject({ view: z.looseObject({ hash: z.string().max(200) }) });

/** The waits before the updates that check whether Slack has applied an acknowledgement. */
const RETRY_AFTER_MS = [0, 100, 400, 1_500] as const;

export interface Modals {
  /** A trigger is valid once, for three seconds, so this comes first. @returns undefined if the modal did not open */
  open(triggerId: string, title: string): Promise<OpenModal | undefined>;
  /** @param submittedHash of the submitted view, if the acknowledgement carries a view of its own */
  existing(viewId: string, submittedHash?: string): OpenModal;
  /** Once the form is submitted, it is not shown again. */
  whileUnchanged(viewId: string, hash: string): OpenModal;
}

export function createModals(interactive: WebClient, log: Logger): Modals {
  const existing = (viewId: string, submittedHash?: string): OpenModal => {
    let unapplied = submittedHash;
    return {
      show: async (requestedView) => {
        const { names: _names, ...bare } = requestedView;
        const view = withSafeView(bare, log);
        const hash = unapplied;
        unapplied = undefined;
        const target = { interactive, viewId, log };
        if (hash === undefined) await update(target, view);
        else await updateAfterAcknowledgement(target, view, hash);
      },
    };
  };
  const whileUnchanged = (viewId: string, hash: string): OpenModal => ({
    show: async ({ names: _names, ...bare }) => {
      const updated = await update({ interactive, viewId, log }, withSafeView(bare, log), hash);
      if (updated.kind === 'conflict')
        log.info({ view: viewId }, 'A form was submitted before a choice in it was handled');
    },
  });
  return {
    existing,
    whileUnchanged,
    open: async (triggerId, title) => {
      try {
        const openArguments = { trigger_id: triggerId, view: loadingView(title) };
        const { view } = openedSchema.parse(await interactive.apiCall('views.open', openArguments));
        return existing(view.id);
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

type UpdateResult = { kind: 'shown'; hash: string } | { kind: 'conflict' } | { kind: 'closed' };

/**
 * Slack does not promise to apply an acknowledgement before an update. While the modal has the hash of its last known
 * view, the acknowledgement is still pending. Once the hash differs, it was applied, and the next view stays.
 */
async function updateAfterAcknowledgement(target: Target, view: ModalView, submittedHash: string): Promise<void> {
  let hash = submittedHash;
  for (const waitMs of RETRY_AFTER_MS) {
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

/** @param hash updates only if the modal still has it */
async function update({ interactive, viewId, log }: Target, view: ModalView, hash?: string): Promise<UpdateResult> {
  try {
    const updateArguments = { view_id: viewId, view, ...(hash === undefined ? {} : { hash }) };
    const answer = await interactive.apiCall('views.update', updateArguments);
    return { kind: 'shown', hash: updatedSchema.safeParse(answer).data?.view.hash ?? '' };
  } catch (error) {
    const fault = readSlackFault(error);
    const code = fault.kind === 'refused' ? fault.code : '';
    if (code === 'hash_conflict' && hash !== undefined) return { kind: 'conflict' };
    if (code !== 'not_found') throw error;
    log.info({ view: viewId }, 'A modal was closed before it was updated');
    return { kind: 'closed' };
  }
}
