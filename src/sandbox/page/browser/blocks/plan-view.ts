import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { recordOf, recordsOf, stringOf, textOf, type Json } from '../core/json.ts';
import { RichText } from '../text/rich-text-view.ts';

const statusSigns: Record<string, string> = { pending: '○', in_progress: '◐', complete: '●', error: '✕' };

export function PlanView({ block }: { block: Json }): VNode {
  return html`<div class="container">
    <strong>${textOf(block['title'])}</strong>
    ${recordsOf(block['tasks']).map((task) => html`<${TaskView} block=${task} />`)}
  </div>`;
}

export function TaskView({ block }: { block: Json }): VNode {
  const status = stringOf(block['status'], 'pending');
  const details = recordOf(block['details']);
  const output = recordOf(block['output']);
  return html`<div class="task-card">
    <span role="img" aria-label=${status.replaceAll('_', ' ')}>${statusSigns[status] ?? '○'}</span>
    <div>
      <p>${textOf(block['title'])}</p>
      ${details !== null && html`<${RichText} block=${details} />`}
      ${output !== null && html`<${RichText} block=${output} />`}
    </div>
  </div>`;
}
