import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { BlocksView } from '../blocks/block-view.ts';
import { askSlackbot, type SlackbotAnswer, type SlackbotClick } from '../core/control.ts';
import { errorWords } from '../core/failure-words.ts';
import { recordsOf } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { inertSurface, SurfaceContext } from '../elements/surface.ts';
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
      (answer) => setExchanges((before) => before.map((one) => (one === open ? { ...one, answer } : one))),
      (error: unknown) => {
        setExchanges((before) => before.filter((one) => one !== open));
        setFailure(errorWords('Asking Slackbot', error));
      },
    );
  };
  // As in Slack, the answer to a click replaces the blocks with the button.
  const click = async (clicked: Exchange, button: SlackbotClick) => {
    setFailure(null);
    try {
      const answer = await askSlackbot(viewer?.id ?? '', button);
      setExchanges((before) => before.map((one) => (one === clicked ? { ...one, answer } : one)));
    } catch (error) {
      setFailure(errorWords('Asking Slackbot', error));
    }
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
    ${exchanges.map((exchange, index) => html`<${ExchangeView} key=${index} exchange=${exchange} onClick=${click} />`)}
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

interface ExchangeProps {
  exchange: Exchange;
  onClick: (clicked: Exchange, button: SlackbotClick) => Promise<void>;
}

function ExchangeView({ exchange, onClick }: ExchangeProps): VNode {
  const { question, answer } = exchange;
  const act = async (blockId: string, actionId: string) => {
    const elements = recordsOf(answer?.blocks.find((block) => block['block_id'] === blockId)?.['elements']);
    const value = elements.find((element) => element['action_id'] === actionId)?.['value'];
    if (typeof value === 'string') await onClick(exchange, { action_id: actionId, value });
  };
  return html`<section class="drawer-part" data-testid="slackbot-exchange">
    <p><strong>You:</strong> ${question}</p>
    ${
      answer === null
        ? html`<p class="beginning">Asking…</p>`
        : html`<p class="pane-facts">${answer.call}</p>
            ${
              answer.blocks.length > 0
                ? html`<${SurfaceContext.Provider} value=${{ ...inertSurface, idPrefix: 'slackbot', act }}>
                    <${BlocksView} blocks=${answer.blocks} />
                  </${SurfaceContext.Provider}>`
                : html`<p>${answer.text}</p>`
            }`
    }
  </section>`;
}
