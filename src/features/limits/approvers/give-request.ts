import { z } from 'zod';
import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import type { Refusal } from '../../../core/slack/blocks/messages.ts';
import { sentenceView, type OpenModal, modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { formHandler, errorsOf, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { listDeciders } from './deciders-on-card.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { factsOf, findRequest, peopleOf } from '../core/requests.ts';
import { askLine, refusalOf, unknownRequest } from '../core/state-text.ts';
import { transitionOf, type Receiver } from '../core/states.ts';
import { roleDenial } from '../core/access.ts';
import { readVisible } from '../rights/visible-requests.ts';
import { readApproverRules } from './approver-rules.ts';
import { beginTurns } from './ask-approvers.ts';
import { currentTurn, listTurns, stageOf } from './turns.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { selectInput, type Option } from '../../../core/slack/blocks/inputs.ts';

export const GIVE_TITLE = 'Give to another';
const GIVE_FORM = 'limits_give_form';
const RECEIVER = 'receiver';

function giveView(id: string, requestLine: Markup, admins: readonly Option[]): ModalView {
  return modal({
    title: GIVE_TITLE,
    submit: 'Give',
    callbackId: GIVE_FORM,
    metadata: id,
    blocks: [
      section(
        markup`*${requestLine}*\nThe admin gets the request by direct message, and is asked before the approvers of the list who are left. Any admin can still decide.`,
      ),
      selectInput({ id: RECEIVER, label: 'To which admin?', options: admins }),
    ],
  });
}

type By = Pick<Interaction<FreshPerson>, 'person' | 'reply' | 'refusal'>;

const NO_LIST = 'There is no list of approvers, so all admins are asked at once.';
const NOBODY_ELSE = 'No other admin can decide this request.';

/** *Give to…* on a card. */
export async function showGiveForm(deps: LimitDeps, id: string, by: By, opened: OpenModal): Promise<void> {
  const denial = roleDenial(by.person);
  if (denial) return by.reply.show(await by.refusal(denial));
  const visible = await readVisible(deps.db, id, by.person, (from) => peopleOf(from, id, 1));
  const request = await findRequest(deps.db, id);
  if (!visible || !request) return opened.show(sentenceView(GIVE_TITLE, unknownRequest(id)));
  const refusal = whyNotGiven(deps, request, by.person, 'can_decide');
  if (refusal) return by.reply.show(await by.refusal(refusal));
  if (!(await isGivable(deps))) return opened.show(sentenceView(GIVE_TITLE, NO_LIST));
  const asked = currentTurn(await listTurns(deps.db, id), stageOf(request))?.approver;
  const receivers = (await listDeciders(deps, request)).filter(({ slackId }) => slackId !== asked);
  const options = await Promise.all(
    receivers.map(async ({ slackId }) => ({
      value: slackId,
      text: (await deps.people.describe(slackId))?.name ?? slackId,
    })),
  );
  await opened.show(
    options.length === 0 ? sentenceView(GIVE_TITLE, NOBODY_ELSE) : giveView(id, askLine(visible), options),
  );
}

async function isGivable({ db }: LimitDeps): Promise<boolean> {
  const rules = await readApproverRules(db);
  return rules !== undefined && rules.approvers.length > 0;
}

const giveEvent = (by: FreshPerson, receiver: Receiver) => ({ kind: 'give', by, receiver }) as const;

function whyNotGiven(
  { clock }: LimitDeps,
  request: LimitRequest,
  by: FreshPerson,
  receiver: Receiver,
): Refusal | undefined {
  const transition = transitionOf(factsOf(request), giveEvent(by, receiver), clock.now());
  return transition.kind === 'refused' ? refusalOf(transition.reason, request, by.slackId) : undefined;
}

const metadataSchema = z.string().max(100);

export const giveForm = (deps: LimitDeps): Form =>
  // The router cannot give the reason for a refusal, so the handler does.
  formHandler(GIVE_FORM, 'member', (state, metadata) => {
    const id = metadataSchema.parse(metadata);
    const receiver = state.option(RECEIVER) ?? '';
    const errors = errorsOf([[receiver === '', RECEIVER, 'Choose an admin.']]);
    return freshFormReading(errors, 'Sending it …', async (by, opened) => {
      const refusal = await giveRequest(deps, id, by.person, receiver);
      if (refusal) return by.reply.show(await by.refusal(refusal));
      const sentence = markup`✅ *${mention(receiver)} is asked to decide* \`${id}\` now, and gets a direct message.`;
      await opened.show(sentenceView(GIVE_TITLE, sentence));
    });
  });

const MAX_ATTEMPTS = 5;

/** Returns why the request was not given. After a change in the meantime, the reason depends on its new state. */
export async function giveRequest(
  deps: LimitDeps,
  id: string,
  by: FreshPerson,
  receiver: string,
): Promise<Refusal | undefined> {
  const denial = roleDenial(by);
  if (denial) return denial;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const request = await findRequest(deps.db, id);
    if (!request) return unknownRequest(id);
    if (!(await isGivable(deps))) return NO_LIST;
    const turns = await listTurns(deps.db, id);
    const isAsked = currentTurn(turns, stageOf(request))?.approver === receiver;
    const canDecide = (await listDeciders(deps, request)).some(({ slackId }) => slackId === receiver);
    const state = isAsked ? 'asked' : canDecide ? 'can_decide' : 'cannot_decide';
    const refusal = whyNotGiven(deps, request, by, state);
    if (refusal) return refusal;
    const name = (await deps.people.describe(receiver))?.name ?? receiver;
    const hasBegun = await beginTurns(deps, request, {
      planned: [{ approver: receiver, skipped: null }],
      from: turns.length,
      isHandedOn: true,
      givenBy: { slackId: by.slackId, event: giveEvent(by, state) },
      dueAt: deps.clock.now(),
      audited: { actor: by.slackId, action: 'given', detail: `To ${name}` },
    });
    if (hasBegun) return undefined;
  }
  return unknownRequest(id);
}
