import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Completion } from '../../core/composer/completion.ts';

interface CompletionListProps {
  id: string;
  offers: readonly Completion[];
  active: number;
  onChoose: (offer: Completion) => void;
}

export function CompletionList({ id, offers, active, onChoose }: CompletionListProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('.offer-active')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return html`<div
    class="completions"
    role="listbox"
    id=${id}
    aria-label="Suggestions"
    data-testid="completions"
    ref=${list}
    onMouseDown=${(event: MouseEvent) => event.preventDefault()}
  >
    ${offers.map(
      (offer, index) =>
        html`<div
          role="option"
          id=${`${id}-${index}`}
          class=${index === active ? 'offer offer-active' : 'offer'}
          aria-selected=${index === active}
          onClick=${() => onChoose(offer)}
        >
          <span class="offer-label">${offer.label}</span>
          <small>${offer.hint}</small>
        </div>`,
    )}
  </div>`;
}
