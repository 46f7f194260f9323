import type { RequiredRole } from '../../base/roles.ts';
import type { OpenModal } from '../blocks/views.ts';
import type { Click, ClickAction, ClickInModal, RunOnClick } from './interactions.ts';
import type { FreshPerson } from '../people/people.ts';

/** The button or choice only reads. */
export const readAction = (actionId: string, role: RequiredRole, run: RunOnClick): ClickAction => ({
  actionId,
  role,
  run,
});

/** It changes something, so it is stored before its acknowledgement, resumed after a crash, and safe to repeat. */
export const changeAction = (actionId: string, role: RequiredRole, run: RunOnClick): ClickAction => ({
  actionId,
  role,
  isKept: true,
  run,
});

/** It opens a modal of this title at once, with a loading view. */
export const modalAction = (
  actionId: string,
  role: RequiredRole,
  modalTitle: string,
  runInModal: ClickInModal,
): ClickAction => ({ actionId, role, modalTitle, runInModal });

/** The role of the person is read again from Slack. */
export const freshReadAction = (actionId: string, role: RequiredRole, run: RunOnClick<FreshPerson>): ClickAction => ({
  actionId,
  role,
  isRoleFresh: true,
  run,
});

export const freshChangeAction = (actionId: string, role: RequiredRole, run: RunOnClick<FreshPerson>): ClickAction => ({
  ...freshReadAction(actionId, role, run),
  isKept: true,
});

export const freshModalAction = (
  actionId: string,
  role: RequiredRole,
  modalTitle: string,
  runInModal: ClickInModal<FreshPerson>,
): ClickAction => ({ actionId, role, isRoleFresh: true, modalTitle, runInModal });

/** Buttons and choices that show something in a modal of this title, by their action ids. */
export const modalActions = <Deps>(
  deps: Deps,
  role: RequiredRole,
  title: string,
  shows: Readonly<Record<string, (deps: Deps, click: Click, opened: OpenModal) => Promise<void>>>,
): ClickAction[] =>
  Object.entries(shows).map(([actionId, show]) =>
    modalAction(actionId, role, title, (click, opened) => show(deps, click, opened)),
  );
