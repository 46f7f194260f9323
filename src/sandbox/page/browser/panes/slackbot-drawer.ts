import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { BlocksView } from '../blocks/block-view.ts';
import { askSlackbot, type SlackbotAnswer } from '../core/control.ts';
import { errorWords } from '../core/failure-words.ts';
import { usePage } from '../core/page-context.ts';
import { Drawer } from './platform/drawer.ts';

const EXAMPLES = ['Will I run out of credits?', 'How much did I use last week?', 'Which repositories are ready?'];

interface Exchange {
  question: string;
  answer: SlackbotAnswer | null;
}

/** A conversation with Slack’s assistant, which asks the app’s tools for the acting person. */
export function SlackbotDrawer(): VNode {
  const { state } = usePage();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [draft, setDraft] = useState('');
  const viewer = state.snapshot?.viewer;
  const ask = (question: string) => {
    setDraft('');
    setFailure(null);
    const open: Exchange = { question, answer: null };
    setExchanges((before) => [...before, open]);
    askSlackbot(viewer?.id ?? '', question).then(
      (answer) => setExchanges((before) => before.map((one) => (one === open ? { question, answer } : one))),
      (error: unknown) => {
        setExchanges((before) => before.filter((one) => one !== open));
        setFailure(errorWords('Asking Slackbot', error));
      },
    );
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (draft.trim() !== '') ask(draft.trim());
  };
  return html`<${Drawer} name="slackbot" title="Slackbot" note="Calls the app’s tools for ${viewer?.name ?? 'you'}, chosen by simple rules in place of a model">
    ${exchanges.length === 0 && html`<p>Ask in your own words, for example:</p>`}
    ${
      exchanges.length === 0 &&
      EXAMPLES.map(
        (example) =>
          html`<p>
            <button type="button" class="button button-small" onClick=${() => ask(example)}>${example}</button>
          </p>`,
      )
    }
    ${exchanges.map((exchange, index) => html`<${ExchangeView} key=${index} ...${exchange} />`)}
    ${failure !== null && html`<p class="failure" role="alert">⚠ ${failure}</p>`}
    <form class="stack" onSubmit=${onSubmit}>
      <label for="slackbot-question">Message to Slackbot</label>
      <textarea
        id="slackbot-question"
        rows="2"
        value=${draft}
        data-testid="slackbot-question"
        onInput=${(event: { currentTarget: HTMLTextAreaElement }) => setDraft(event.currentTarget.value)}
      ></textarea>
      <button type="submit" class="button button-primary" data-testid="slackbot-send">Send</button>
    </form>
  </${Drawer}>`;
}

function ExchangeView({ question, answer }: Exchange): VNode {
  return html`<section class="drawer-part" data-testid="slackbot-exchange">
    <p><strong>You:</strong> ${question}</p>
    ${
      answer === null
        ? html`<p class="beginning">Asking…</p>`
        : html`<p class="pane-facts">${answer.call}</p>
            ${answer.blocks.length > 0 ? html`<${BlocksView} blocks=${answer.blocks} />` : html`<p>${answer.text}</p>`}`
    }
  </section>`;
}
