import { z } from 'zod';
import type { Form, FormReading } from '../interactions/interactions.ts';
import { reportError } from '../blocks/faults.ts';
import { begin, type InteractionDeps, type Plan } from './interaction.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import { submissionPayload, type SubmissionPayload } from './payloads.ts';
import { inModal } from './plans.ts';
import { faultView, FormState, sentenceView } from '../blocks/views.ts';

interface SubmissionPlan {
  answer: object;
  name: string;
  interaction: string;
  person: string;
  /** Used if there is no room for `work`: the form stays open and can be sent again. */
  refusal: (sentence: string) => object;
  work?: (arrival: string) => () => Promise<string>;
}

const showing = (view: object) => ({ response_action: 'update', view });

export function onSubmission(deps: InteractionDeps, handlers: HandlersByName, body: unknown): SubmissionPlan {
  const parsed = submissionPayload.safeParse(body);
  if (!parsed.success) {
    deps.log.error({ err: parsed.error }, 'Slack sent a form of an unknown shape');
    const answer = { response_action: 'clear' };
    return { answer, refusal: () => answer, name: 'unknown', interaction: '', person: '' };
  }
  const { view, user } = parsed.data;
  const title = view.title?.text ?? 'Quartermaster';
  const form = handlers.forms.get(view.callback_id);
  const base = {
    name: form?.callbackId ?? 'unknown',
    interaction: nameOfForm(parsed.data),
    person: user.id,
    refusal: (sentence: string) => refusedForm(title, view.state?.values, sentence),
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
      work: (arrival) => runForm(deps, form, reading, parsed.data, arrival),
    };
  } catch (error) {
    const reported = reportError(error, deps.log, { form: form.callbackId, user: user.id });
    return { ...base, answer: showing(faultView(title, reported)) };
  }
}

/** Two clicks on Submit have two triggers, but one view. */
const nameOfForm = ({ view }: SubmissionPayload) => `form:${view.id}:${view.hash}`;

/** Slack shows an error only at a field, so a form without fields is replaced. */
function refusedForm(title: string, values: unknown, sentence: string): object {
  const [field] = Object.keys(z.record(z.string(), z.unknown()).safeParse(values).data ?? {});
  return field === undefined
    ? showing(sentenceView(title, sentence))
    : { response_action: 'errors', errors: { [field]: sentence } };
}

/** @param arrival the key under which it was stored; undefined if it continues after a crash */
export function runForm(
  deps: InteractionDeps,
  form: Form,
  reading: Extract<FormReading, { kind: 'accepted' }>,
  submission: SubmissionPayload,
  arrival: string | undefined,
): () => Promise<string> {
  const { user, view, trigger_id: triggerId } = submission;
  const plan: Plan = { role: form.role, what: 'This form', outcome: 'answered', ...inModal(reading) };
  return begin(deps, plan, {
    once: arrival === undefined ? undefined : { interaction: nameOfForm(submission), arrival },
    form: view,
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
