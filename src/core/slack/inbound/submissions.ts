import type { Form, FormReading } from '../interactions/interactions.ts';
import { reportError } from '../blocks/faults.ts';
import { type InteractionDeps, type Plan, beginInteraction, inModal } from './interaction.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import type { SubmissionPayload } from './payload.ts';
import { faultView, FormState, sentenceView, type FormValues } from '../blocks/views.ts';

interface SubmissionPlan {
  answer: object;
  name: string;
  /** Used if there is no room for `work`: the form stays open and can be sent again. */
  refusal: (sentence: string) => object;
  work?: (arrival: string) => () => Promise<string>;
}

const showing = (view: object) => ({ response_action: 'update', view });

export function onSubmission(
  deps: InteractionDeps,
  handlers: HandlersByName,
  submission: SubmissionPayload,
  sentView: unknown,
): SubmissionPlan {
  const { view, user } = submission;
  const title = view.title?.text ?? 'Quartermaster';
  const form = handlers.forms.get(view.callback_id);
  const base = {
    name: form?.callbackId ?? 'unknown',
    refusal: (sentence: string) => refusedForm(title, view.state?.values ?? {}, sentence),
  };
  if (!form) {
    const sentence = 'This form is from another version of Quartermaster. Close it and start again.';
    return { ...base, answer: showing(sentenceView(title, sentence)) };
  }
  try {
    const reading = form.read(new FormState(view.state?.values), view.private_metadata, deps.clock.now());
    if (reading.kind === 'errors') return { ...base, answer: { response_action: 'errors', errors: reading.errors } };
    return {
      ...base,
      answer: showing(sentenceView(title, reading.working)),
      work: (arrival) => runForm(deps, form, reading, { submission, arrival, sentView }),
    };
  } catch (error) {
    const reported = reportError(error, deps.log, { form: form.callbackId, user: user.id });
    return { ...base, answer: showing(faultView(title, reported)) };
  }
}

/** Two clicks on Submit have two triggers, but one view. */
export const nameOfForm = ({ view }: SubmissionPayload) => `form:${view.id}:${view.hash}`;

/** Slack shows an error only at a field, so a form without fields is replaced. */
function refusedForm(title: string, values: FormValues, sentence: string): object {
  const [field] = Object.keys(values);
  return field === undefined
    ? showing(sentenceView(title, sentence))
    : { response_action: 'errors', errors: { [field]: sentence } };
}

/**
 * @param arrival the key under which it was stored; missing if it continues after a crash
 * @param sentView the view as Slack sent it; shown again after a fault
 */
export function runForm(
  deps: InteractionDeps,
  form: Form,
  reading: Extract<FormReading, { kind: 'accepted' }>,
  { submission, arrival, sentView }: { submission: SubmissionPayload; arrival?: string; sentView?: unknown },
): () => Promise<string> {
  const { user, view, trigger_id: triggerId } = submission;
  const plan: Plan = { role: form.role, what: 'This form', outcome: 'answered', ...inModal(reading) };
  return beginInteraction(deps, plan, {
    once: arrival === undefined ? undefined : { interaction: nameOfForm(submission), arrival },
    form: sentView,
    slackId: user.id,
    triggerId,
    channel: '',
    origin: {
      kind: 'modal',
      viewId: view.id,
      title: view.title?.text ?? 'Quartermaster',
      ...(view.hash === '' ? {} : { submittedHash: view.hash }),
    },
    about: { form: form.callbackId, user: user.id },
  });
}
