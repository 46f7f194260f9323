import { actionIdOf, section } from '../blocks/blocks.ts';
import { onClick } from './clicks.ts';
import type { InteractionDeps } from './interaction.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import { readStoredClick, readStoredForm, type SubmissionPayload } from './payload.ts';
import type { AbandonedInteraction } from './pending-interactions.ts';
import { runForm } from './submissions.ts';
import { markup, readerTime } from '../../base/text/markup.ts';
import { FormState, modal } from '../blocks/views.ts';

interface Resumption {
  name: string;
  person: string;
  start: () => () => Promise<string>;
}

export function planResumption(
  deps: InteractionDeps,
  handlers: HandlersByName,
  { kind, payload, receivedAt, isExpired }: AbandonedInteraction,
): Resumption {
  if (kind === 'click') {
    const click = readStoredClick(payload);
    const { user, actions } = click;
    const name = actionIdOf(actions[0].action_id);
    const start = isExpired
      ? () => () => reportOver(deps, user.id, receivedAt)
      : () => onClick(deps, handlers, click, { isResumed: true });
    return { name, person: user.id, start };
  }
  const submission = readStoredForm(payload);
  const { view, user } = submission;
  const form = handlers.forms.get(view.callback_id);
  const reading = form?.read(new FormState(view.state?.values), view.private_metadata, deps.clock.now());
  const isReadable = !isExpired && form !== undefined && reading?.kind === 'accepted';
  const start = isReadable
    ? () => runForm(deps, form, reading, { submission })
    : () => () => reportOver(deps, user.id, receivedAt, submission);
  return { name: view.callback_id, person: user.id, start };
}

/** The modal would otherwise show "working" forever. */
async function reportOver(
  { home, modals }: InteractionDeps,
  slackId: string,
  receivedAt: Date,
  submission?: SubmissionPayload,
): Promise<string> {
  const sentence = markup`Quartermaster stopped before it finished what you sent ${readerTime(receivedAt)}. Check whether it happened; if not, send it again.`;
  if (submission) {
    const title = submission.view.title?.text ?? 'Quartermaster';
    await modals.existing(submission.view.id).show(modal({ title, blocks: [section(sentence)] }));
  }
  await home.directReply(slackId).show({ text: sentence });
  return 'over';
}
