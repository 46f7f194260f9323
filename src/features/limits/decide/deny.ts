import { z } from 'zod';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { actions, section } from '../../../core/slack/blocks/blocks.ts';
import { textInput } from '../../../core/slack/blocks/inputs.ts';
import {
  modal,
  sentenceView,
  type FormState,
  type ModalView,
  type OpenModal,
} from '../../../core/slack/blocks/views.ts';
import { formHandler, errorsOf, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Click, Form } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { LABELS, backButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { factsOf, peopleOf } from '../core/requests.ts';
import { askLine, refusalOf, unknownRequest } from '../core/state-text.ts';
import { transitionOf } from '../core/states.ts';
import { completeDecider } from '../rights/four-eyes.ts';
import { readVisible } from '../rights/visible-requests.ts';
import { moveRequest } from './decide.ts';
import { roleDenial } from '../core/access.ts';
import { showResult } from './decide-request-handlers.ts';
import { MAX_COMMENT_LENGTH } from './read-form.ts';

export const DENY_TITLE = 'Deny a request';
const DENY_FORM = 'limits_deny_form';
const FIELD = 'comment';
const metadataSchema = z.string().max(100);

/** *Deny* in the review: opens a form for the reason, filled with the comment typed there. */
export async function showDenial(
  deps: LimitDeps,
  id: string,
  click: Click<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const by = await completeDecider(deps, click.person, id);
  const denial = roleDenial(by);
  if (denial) return click.reply.show(await click.refusal(denial));
  const visible = await readVisible(deps.db, id, by, (from) => peopleOf(from, id, 1));
  if (!visible) return opened.show(sentenceView(DENY_TITLE, unknownRequest(id)));
  const { request, involvement } = visible;
  const transition = transitionOf(factsOf(request), { kind: 'deny', by, involvement }, deps.clock.now());
  if (transition.kind === 'refused')
    return click.reply.show(await click.refusal(refusalOf(transition.reason, request, by.slackId)));
  await opened.show(denyView(id, askLine(visible), commentIn(click.form.state)));
}

function denyView(id: string, requestLine: Markup, comment: string): ModalView {
  return modal({
    title: DENY_TITLE,
    submit: LABELS.deny,
    callbackId: DENY_FORM,
    metadata: id,
    blocks: [
      section(markup`*${requestLine}*`),
      textInput({
        id: FIELD,
        label: 'Comment',
        hint: 'Say why you deny it. The requester will read it.',
        isMultiline: true,
        longest: MAX_COMMENT_LENGTH,
        initial: comment,
      }),
      actions(backButton(id)),
    ],
  });
}

const commentIn = (state: FormState): string => state.text(FIELD).slice(0, MAX_COMMENT_LENGTH);

export const denyForm = (deps: LimitDeps): Form =>
  // The router cannot give the reason for a refusal, so the handler does.
  formHandler(DENY_FORM, 'member', (state, metadata) => {
    const id = metadataSchema.parse(metadata);
    const comment = commentIn(state);
    const errors = errorsOf([[comment === '', FIELD, 'Say why you deny it. The requester will read this.']]);
    return freshFormReading(errors, 'Denying it …', async (interaction, opened) => {
      const result = await moveRequest(deps, id, interaction.person, { kind: 'deny', comment });
      await showResult(deps, { id, result, title: DENY_TITLE }, interaction, opened);
    });
  });
