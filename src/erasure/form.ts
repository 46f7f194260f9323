import { z } from 'zod';
import { markup, markupLines, type Markup } from '../base/text/markup.ts';
import { countOf } from '../base/text/numbers.ts';
import { section, type Block } from '../slack/blocks/blocks.ts';
import { textInput } from '../slack/blocks/inputs.ts';
import { modal, sentenceView, type FormState, type OpenModal } from '../slack/blocks/views.ts';
import type { Form, FormReading } from '../slack/interactions.ts';
import type { FreshPerson } from '../slack/people/people.ts';
import { insertErasure } from './core/erasures.ts';
import { findPerson } from './core/find-person.ts';
import { countRows, type FoundRows } from './core/rows.ts';
import type { ErasureServices } from './carry-out.ts';

export const TITLE = 'Erase a person';
const ERASE_FORM = 'erasure_form';
const CONFIRM_FORM = 'erasure_confirm';
const EMAIL = 'email';
/** Another id: Slack would keep what was typed into the first. */
const AGAIN = 'again';

const emailSchema = z.email().max(320);

export async function showEraseForm({ db }: ErasureServices, opened: OpenModal): Promise<void> {
  const under = await db.selectFrom('erasures').select(['id', 'state']).where('state', '!=', 'done').execute();
  const notes: Block[] = under.map(({ id, state }) =>
    section(markup`⏳ Erasure \`${id}\` is ${state === 'asked' ? 'under way' : 'done, and checked once more soon'}.`),
  );
  await opened.show(
    modal({
      title: TITLE,
      submit: 'Show what is stored',
      callbackId: ERASE_FORM,
      blocks: [
        ...notes,
        section(markup`You see first what Quartermaster holds of this person. Nothing is erased yet.`),
        textInput({ id: EMAIL, label: 'E-mail on the platform', longest: 320, placeholder: 'mia@example.com' }),
      ],
    }),
  );
}

export function eraseForm(services: ErasureServices): Form {
  return {
    callbackId: ERASE_FORM,
    role: 'admin',
    read: (state: FormState): FormReading => {
      const email = readEmail(state, EMAIL);
      if (email === undefined)
        return { kind: 'errors', errors: { [EMAIL]: 'Type one e-mail, such as mia@example.com.' } };
      return {
        kind: 'accepted',
        working: 'Looking through the store …',
        run: async (_by, opened) => showInventory(services, email, opened),
      };
    },
  };
}

const readEmail = (state: FormState, id: string) => emailSchema.safeParse(state.text(id).toLowerCase()).data;

async function showInventory({ db, lookups }: ErasureServices, email: string, opened: OpenModal): Promise<void> {
  const identifiers = await findPerson({ db, lookups }, email);
  const found = await countRows(db, identifiers);
  if (found.length === 0 && identifiers.slackId.length === 0)
    return opened.show(sentenceView(TITLE, `Quartermaster knows nothing of ${email}, and neither does Slack.`));
  await opened.show(
    modal({
      title: TITLE,
      submit: 'Erase',
      callbackId: CONFIRM_FORM,
      metadata: email,
      blocks: [
        section(markup`*${email}*`),
        ...inventoryBlocks(found),
        section(
          markup`Quartermaster’s own messages are changed too, where Slack still lets it. The person can’t use Quartermaster afterwards, and their figures no longer show who they are. *This can’t be undone.*`,
        ),
        textInput({ id: AGAIN, label: 'Type the e-mail again to erase', longest: 320 }),
      ],
    }),
  );
}

function inventoryBlocks(found: readonly FoundRows[]): Block[] {
  const gone = found.filter(({ deleted }) => deleted > 0);
  const kept = found.filter((rows) => rows.kept > 0);
  return [
    ...listBlock(
      'Deleted',
      gone.map(({ holding, deleted }) => markup`• ${holding.what}: ${countOf(deleted, 'row')}`),
    ),
    ...listBlock(
      'Kept without their name',
      kept.map((rows) => markup`• ${rows.holding.what}: ${countOf(rows.kept, 'row')}${reasonOf(rows)}`),
    ),
    ...(found.length === 0 ? [section(markup`Nothing is stored of them.`)] : []),
  ];
}

const reasonOf = ({ holding }: FoundRows) => (holding.kept === undefined ? '' : `, so that ${holding.kept}`);

function listBlock(title: string, lines: readonly Markup[]): Block[] {
  return lines.length === 0 ? [] : [section(markupLines([markup`*${title}*`, ...lines]))];
}

/** Begins the erasure. The job of the next minute carries it out. */
export function confirmForm(services: ErasureServices): Form {
  return {
    callbackId: CONFIRM_FORM,
    role: 'admin',
    read: (state: FormState, metadata: string): FormReading => {
      const meant = emailSchema.safeParse(metadata).data;
      const typed = readEmail(state, AGAIN);
      if (meant === undefined || typed !== meant)
        return { kind: 'errors', errors: { [AGAIN]: 'That’s another e-mail. Type the one above.' } };
      return {
        kind: 'accepted',
        working: 'Beginning …',
        isRoleFresh: true,
        run: ({ person }, opened) => begin(services, meant, person, opened),
      };
    },
  };
}

async function begin(services: ErasureServices, email: string, by: FreshPerson, opened: OpenModal): Promise<void> {
  const { db, lookups, random, clock, erased } = services;
  const identifiers = await findPerson({ db, lookups }, email);
  const id = await insertErasure({ db, random }, identifiers, by.slackId, clock.now());
  await erased.refresh();
  await opened.show(
    sentenceView(
      TITLE,
      `Erasure ${id} has begun. It takes a few minutes and is checked once more ten minutes later. The audit log says when it is done.`,
    ),
  );
}
