import { markup, mention, readerTime } from '../../../core/base/text/markup.ts';
import { freshChangeAction } from '../../../core/slack/interactions/click-actions.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, prose, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { declareOnlyHere, readOnlyHere } from '../store/only-here.ts';
import { onlyHereButton, POLICY_ACTIONS } from './policy-buttons.ts';

/** For `/quartermaster` of admins: whether limits are set nowhere else, and the button that changes it. */
export async function onlyHereStatus({ db }: Pick<PolicyDeps, 'db'>): Promise<AnyParagraph[]> {
  if ((await readShownLimits(db, [])) !== undefined) return [];
  const declared = await readOnlyHere(db);
  const line = declared
    ? markup`*Limits are set only here*, as ${mention(declared.by)} declared ${readerTime(declared.at)}. Active limit policies act alone.`
    : markup`*Are limits also set elsewhere?* Until an admin declares that they are set only here, limit policies only prepare approvals.`;
  return [prose(line), buttonRow(onlyHereButton(declared !== undefined))];
}

/** A declaration is kept, and not used. */
const SHOWN_LINE = markup`*The platform shows limits*, so active limit policies act alone, and whether limits are set only here doesn’t matter.`;

export const onlyHereDetails = async ({ db }: Pick<PolicyDeps, 'db'>): Promise<AnyParagraph[]> =>
  (await readShownLimits(db, [])) === undefined ? [] : [prose(SHOWN_LINE)];

export const onlyHereAction = (deps: Pick<PolicyDeps, 'db'>): ClickAction =>
  freshChangeAction(POLICY_ACTIONS.onlyHere, 'admin', (click) => declare(deps, click));

async function declare({ db }: Pick<PolicyDeps, 'db'>, click: Click<FreshPerson>): Promise<void> {
  const isDeclared = click.value === 'yes';
  const isChanged = await db
    .transaction()
    .execute(async (trx) => declareOnlyHere(trx, isDeclared, click.person.slackId, await readStoreNow(trx)));
  const done = isDeclared
    ? '✅ Declared: limits are set only here. Active limit policies act alone from now on.'
    : '✅ Taken back: limit policies only prepare approvals from now on.';
  await click.reply.add(plainMessage(isChanged ? done : 'Another admin already did this.'));
}
