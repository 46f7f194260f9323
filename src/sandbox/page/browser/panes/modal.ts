import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewView } from '../../../slack/people/control-types.ts';
import { BlocksView } from '../blocks/block-view.ts';
import { deliveryFailure, errorWords } from '../core/failure-words.ts';
import { recordsOf, textOf } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { checkInputs } from '../elements/input-checks.ts';
import { SurfaceContext } from '../elements/surface.ts';
import { useModalSurface } from '../elements/use-surface.ts';
import { InlineTextObject } from '../text/text-view.ts';
import { Dialog } from './dialog.ts';

/** Shows the top modal of the app's stack. */
export function ModalStack({ modals }: { modals: readonly ViewView[] }): VNode | null {
  const { session } = usePage();
  const top = modals.at(-1);
  if (top === undefined) return null;
  const close = async (all: boolean) => {
    try {
      const { deliveries, ...left } = await session.act('close', { viewId: top.id, all });
      session.showModals(left);
      for (const delivery of deliveries) session.report('Closing the dialog', delivery);
    } catch (error) {
      session.complain('Closing the dialog', error);
    }
  };
  return html`<${Dialog} label=${textOf(top.view['title'])} class="dialog" testId="modal" onCancel=${() => void close(false)}>
    <${ModalView} key=${top.id} view=${top} depth=${modals.length} onClose=${(all: boolean) => void close(all)} />
  </${Dialog}>`;
}

interface ModalProps {
  view: ViewView;
  depth: number;
  onClose: (all: boolean) => void;
}

function ModalView({ view, depth, onClose }: ModalProps): VNode {
  const { session } = usePage();
  const { surface, failure, setFailure, takeUnsent, keepUnsent, setLocalErrors } = useModalSurface(view);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusOnFields(form, view);
  const body = useMemo(() => html`<${BlocksView} blocks=${view.view['blocks']} />`, [view.view]);

  const submit = async () => {
    if (isBusy) return;
    const faults = checkInputs(recordsOf(view.view['blocks']), surface.valueOf);
    setLocalErrors(faults);
    if (Object.keys(faults).length > 0) {
      focusFirstFault(form.current);
      return;
    }
    setBusy(true);
    setFailure(null);
    const values = takeUnsent();
    try {
      const { delivery, ...after } = await session.act('submit', { viewId: view.id, values });
      session.showModals(after);
      setFailure(deliveryFailure('Sending', delivery));
      focusFirstFault(form.current);
    } catch (error) {
      keepUnsent(values);
      setFailure(errorWords('Sending', error));
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void submit();
  };
  const hasSubmit = view.view['submit'] !== undefined && view.view['submit'] !== null;

  return html`<form class="modal-form" ref=${form} onSubmit=${onSubmit} noValidate aria-busy=${isBusy ? 'true' : undefined}>
    <header class="dialog-head">
      <h2 class="dialog-title" tabindex="-1"><${InlineTextObject} value=${view.view['title']} /></h2>
      ${depth > 1 && html`<span class="depth">${depth} of at most 3</span>`}
      <button type="button" class="tool" aria-label="Close all" data-testid="modal-close-all" onClick=${() => onClose(true)}>×</button>
    </header>
    <div class="dialog-body" tabindex="-1">
      ${failure !== null && html`<p class="failure" role="alert" data-testid="modal-failure">⚠ ${failure}</p>`}
      <${SurfaceContext.Provider} value=${surface}>${body}</${SurfaceContext.Provider}>
    </div>
    <footer class="dialog-actions">
      <button type="button" class="button" data-testid="modal-close" onClick=${() => onClose(false)}>
        <${InlineTextObject} value=${view.view['close'] ?? (hasSubmit ? 'Cancel' : 'Close')} />
      </button>
      ${
        hasSubmit &&
        html`<button type="submit" class="button button-primary" data-testid="modal-submit" disabled=${isBusy}>
          <${InlineTextObject} value=${view.view['submit']} />
        </button>`
      }
    </footer>
  </form>`;
}

const FIELDS = 'input, textarea, select, button';

/**
 * Focuses the first field when a view opens, and again when an update replaces a loading view; but never moves the focus away
 * from a field in use.
 */
function useFocusOnFields(form: { current: HTMLFormElement | null }, view: ViewView): void {
  const isOpened = useRef(false);
  useEffect(() => {
    const element = form.current;
    if (element === null) return;
    const title = element.querySelector<HTMLElement>('.dialog-title');
    const active = document.activeElement;
    const isBusyElsewhere = isOpened.current && element.contains(active) && active !== title;
    isOpened.current = true;
    if (isBusyElsewhere) return;
    const field = element.querySelector<HTMLElement>(`.dialog-body :is(${FIELDS})`);
    (field ?? title)?.focus();
  }, [view.id, view.hash]);
}

function focusFirstFault(form: HTMLFormElement | null): void {
  // The faults are drawn after this turn.
  setTimeout(() => form?.querySelector<HTMLElement>('.input-block-wrong :is(input, textarea, select)')?.focus(), 30);
}
