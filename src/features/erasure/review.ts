import { z } from 'zod';
import { markup, mention } from '../../core/base/text/markup.ts';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { freshModalAction } from '../../core/slack/interactions/click-actions.ts';
import { actions, button, section } from '../../core/slack/blocks/blocks.ts';
import { modal, sentenceView, type OpenModal } from '../../core/slack/blocks/views.ts';
import { formHandler, freshFormReading } from '../../core/slack/interactions/forms.ts';
import type { ClickAction, Form } from '../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../core/slack/people/people.ts';
import type { ErasureServices } from './carry-out.ts';
import { insertErasure } from './core/erasures.ts';
import { findPerson } from './core/find-person.ts';
import { declineErasure, findErasureRequest, takeRequest, whyNotSecond } from './core/requests.ts';
import { countRows } from './core/rows.ts';
import type { ErasureRequest } from './core/erasure-tables.ts';
import { showBegun, TITLE } from './erasure-form.ts';
import {
  CONFIRMATION_INPUT,
  confirmationInput,
  EXPLANATION,
  inventoryBlocks,
  emailField,
  searchTermsBlock,
} from './inventory.ts';
import { REVIEW_ACTION } from './erasure-notices.ts';

const AGREE_FORM = 'erasure_agree';
const DECLINE_ACTION = 'erasure_decline';
const DECIDED = 'This erasure was already decided, or expired after a week.';

const idSchema = z.string().regex(/^[a-z0-9]{1,40}$/);

export const reviewAction = (services: ErasureServices): ClickAction =>
  freshModalAction(REVIEW_ACTION, 'admin', TITLE, async ({ value, person }, opened) => {
    const { db } = services;
    const request = await findErasureRequest(db, idSchema.parse(value));
    if (!request) return opened.show(sentenceView(TITLE, DECIDED));
    const { identifiers, refusal } = await judge(services, request, person);
    const { id, email, askedBy: by } = request;
    const blocks = [
      section(markup`${mention(by)} requests to erase *${email}*.`),
      ...inventoryBlocks(await countRows(services, identifiers)),
      searchTermsBlock(identifiers),
    ];
    if (refusal !== undefined)
      return opened.show(modal({ title: TITLE, blocks: [...blocks, section(markup`${refusal}`)] }));
    return opened.show(
      modal({
        title: TITLE,
        submit: 'Erase',
        callbackId: AGREE_FORM,
        metadata: id,
        blocks: [
          ...blocks,
          section(EXPLANATION),
          confirmationInput(),
          actions(button({ text: 'Decline', actionId: DECLINE_ACTION, value: id, style: 'danger' })),
        ],
      }),
    );
  });

async function judge(
  services: ErasureServices,
  request: ErasureRequest,
  admin: FreshPerson,
): Promise<{ identifiers: Identifiers; refusal: string | undefined }> {
  const identifiers = await findPerson(services, request.email);
  const asker = await services.people.describe(request.askedBy);
  return { identifiers, refusal: whyNotSecond(admin, request, asker?.email, identifiers) };
}

export const declineAction = ({ db, clock }: ErasureServices): ClickAction =>
  freshModalAction(DECLINE_ACTION, 'admin', TITLE, async ({ value, person }, opened) => {
    const isDeclined = await declineErasure(db, idSchema.parse(value), person.slackId, clock.now());
    await opened.show(sentenceView(TITLE, isDeclined ? 'Declined. Nothing was erased.' : DECIDED));
  });

export const agreeForm = (services: ErasureServices): Form =>
  formHandler(AGREE_FORM, 'admin', (state, metadata) => {
    const id = idSchema.safeParse(metadata).data;
    const email = emailField(state, CONFIRMATION_INPUT);
    if (id === undefined || email === undefined)
      return { kind: 'errors', errors: { [CONFIRMATION_INPUT]: 'Type the e-mail above.' } };
    return freshFormReading({}, 'Beginning …', ({ person }, opened) => agree(services, { id, email }, person, opened));
  });

async function agree(
  services: ErasureServices,
  { id, email }: { id: string; email: string },
  by: FreshPerson,
  opened: OpenModal,
): Promise<void> {
  const { db, clock } = services;
  const request = await findErasureRequest(db, id);
  if (!request) return opened.show(sentenceView(TITLE, DECIDED));
  if (request.email !== email)
    return opened.show(sentenceView(TITLE, 'That’s another e-mail. Nothing was erased: press Review again.'));
  const { identifiers, refusal } = await judge(services, request, by);
  if (refusal !== undefined) return opened.show(sentenceView(TITLE, refusal));
  const erasure = { id, identifiers, askedBy: request.askedBy, agreedBy: by.slackId };
  const isBegun = await db.transaction().execute(async (trx) => {
    const isFirst = await takeRequest(trx, id);
    if (isFirst) await insertErasure(trx, erasure, clock.now());
    return isFirst;
  });
  if (!isBegun) return opened.show(sentenceView(TITLE, DECIDED));
  await showBegun(services, id, identifiers, opened);
}
