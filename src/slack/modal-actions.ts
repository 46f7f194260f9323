import type { RequiredRole } from '../base/roles.ts';
import type { OpenModal } from './blocks/views.ts';
import type { Click, ClickAction } from './interactions.ts';

/** Buttons and choices that show something in a modal of this title, by their action ids. */
export const modalActions = <Deps>(
  deps: Deps,
  { role, title }: { role: RequiredRole; title: string },
  shows: Readonly<Record<string, (deps: Deps, click: Click, opened: OpenModal) => Promise<void>>>,
): ClickAction[] =>
  Object.entries(shows).map(([actionId, show]) => ({
    actionId,
    role,
    modalTitle: title,
    runInModal: (click, opened) => show(deps, click, opened),
  }));
