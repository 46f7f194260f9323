import { readEmail } from '../../core/base/text/email.ts';
import { markup, mention } from '../../core/base/text/markup.ts';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { section, type Block } from '../../core/slack/blocks/blocks.ts';
import { textInput } from '../../core/slack/blocks/inputs.ts';
import { modal, sentenceView, type OpenModal } from '../../core/slack/blocks/views.ts';
import { formHandler, formReading, freshFormReading } from '../../core/slack/interactions/forms.ts';
import type { Form } from '../../core/slack/interactions/interactions.ts';
import type { FreshPerson, Person } from '../../core/slack/people/people.ts';
import { insertErasure, makeErasureId } from './core/erasures.ts';
import { findPerson } from './core/find-person.ts';
import { isProtected } from './core/protection.ts';
import { askForErasure, isSamePerson, listErasureRequests, SELF } from './core/requests.ts';
import { countRows } from './core/rows.ts';
import type { ErasureServices } from './carry-out.ts';
import {
  confirmationInput,
  CONFIRMATION_INPUT,
  EXPLANATION,
  inventoryBlocks,
  emailField,
  searchTermsBlock,
} from './inventory.ts';
import { overwriteHome } from './own-home.ts';

export const TITLE = 'Erase a person';
const ERASE_FORM = 'erasure_form';
const CONFIRM_FORM = 'erasure_confirm';
const EMAIL = 'email';

export async function showEraseForm({ db }: ErasureServices, opened: OpenModal): Promise<void> {
  const under = await db.selectFrom('erasures').select(['id', 'state']).where('state', '!=', 'done').execute();
  const notes: Block[] = [
    ...(await listErasureRequests(db)).map(({ email, askedBy: by }) =>
      section(markup`⏳ ${mention(by)} requested to erase ${email}. A second admin has to agree.`),
    ),
    ...under.map(({ id, state }) =>
      section(markup`⏳ Erasure \`${id}\` is ${state === 'asked' ? 'under way' : 'done, and checked once more soon'}.`),
    ),
  ];
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

export const eraseForm = (services: ErasureServices): Form =>
  formHandler(ERASE_FORM, 'admin', (state) => {
    const email = emailField(state, EMAIL);
    if (email === undefined)
      return { kind: 'errors', errors: { [EMAIL]: 'Type one e-mail, such as mia@example.com.' } };
    return formReading({}, 'Looking through the store …', ({ person }, opened) =>
      showInventory(services, email, person, opened),
    );
  });

/** Whether an admin may begin an erasure from Slack. */
type Permission = { kind: 'now' } | { kind: 'with_second_admin' } | { kind: 'refused'; sentence: string };

async function permissionFor(
  services: Pick<ErasureServices, 'db' | 'people' | 'config'>,
  by: Pick<Person, 'slackId' | 'email'>,
  identifiers: Identifiers,
): Promise<Permission> {
  if (isSamePerson(by, identifiers)) return { kind: 'refused', sentence: SELF };
  if (!(await isProtected(services, identifiers))) return { kind: 'now' };
  const others = (await services.people.admins()).filter(
    (id) => id !== by.slackId && !identifiers.slackId.includes(id),
  );
  if (others.length > 0) return { kind: 'with_second_admin' };
  return {
    kind: 'refused',
    sentence:
      'This person is or was an admin or manager, or decided something, so a second admin has to agree, and there is none. The server operator can erase them on the server: npm run erase.',
  };
}

async function showInventory(services: ErasureServices, email: string, by: Person, opened: OpenModal): Promise<void> {
  const identifiers = await findPerson(services, email);
  const rowCounts = await countRows(services, identifiers);
  if (rowCounts.length === 0 && identifiers.slackId.length === 0)
    return opened.show(
      sentenceView(
        TITLE,
        `Quartermaster knows nothing of ${email}, and Slack shows no active account with this e-mail.`,
      ),
    );
  const permission = await permissionFor(services, by, identifiers);
  const blocks = [section(markup`*${email}*`), ...inventoryBlocks(rowCounts), searchTermsBlock(identifiers)];
  if (rowCounts.length === 0) return opened.show(modal({ title: TITLE, blocks }));
  if (permission.kind === 'refused')
    return opened.show(modal({ title: TITLE, blocks: [...blocks, section(markup`${permission.sentence}`)] }));
  const needsSecond = permission.kind === 'with_second_admin';
  const second: Block[] = needsSecond
    ? [
        section(
          markup`The person is or was an admin or manager, or decided something: *a second admin has to agree*, and nothing is erased before.`,
        ),
      ]
    : [];
  await opened.show(
    modal({
      title: TITLE,
      submit: needsSecond ? 'Send request' : 'Erase',
      callbackId: CONFIRM_FORM,
      metadata: email,
      blocks: [...blocks, section(EXPLANATION), ...second, confirmationInput()],
    }),
  );
}

/** Begins the erasure, or requests a second admin. The job of the next minute carries it out. */
export const confirmForm = (services: ErasureServices): Form =>
  formHandler(CONFIRM_FORM, 'admin', (state, metadata) => {
    const email = readEmail(metadata);
    const confirmation = emailField(state, CONFIRMATION_INPUT);
    if (email === undefined || confirmation !== email)
      return { kind: 'errors', errors: { [CONFIRMATION_INPUT]: 'That’s another e-mail. Type the one above.' } };
    return freshFormReading({}, 'Beginning …', ({ person }, opened) => begin(services, email, person, opened));
  });

async function begin(services: ErasureServices, email: string, by: FreshPerson, opened: OpenModal): Promise<void> {
  const { db, random, clock } = services;
  const identifiers = await findPerson(services, email);
  const permission = await permissionFor(services, by, identifiers);
  switch (permission.kind) {
    case 'refused':
      return opened.show(sentenceView(TITLE, permission.sentence));
    case 'with_second_admin': {
      await askForErasure({ db, random }, email, by.slackId, clock.now());
      return opened.show(
        sentenceView(TITLE, 'All admins have a message now. The erasure begins when another admin agrees.'),
      );
    }
    case 'now': {
      const id = makeErasureId(random);
      const erasure = { id, identifiers, askedBy: by.slackId };
      await db.transaction().execute((trx) => insertErasure(trx, erasure, clock.now()));
      return showBegun(services, id, identifiers, opened);
    }
    default:
      return permission satisfies never;
  }
}

/** Refuses the person from now on, and empties their App Home. */
export async function showBegun(
  services: ErasureServices,
  id: string,
  identifiers: Identifiers,
  opened: OpenModal,
): Promise<void> {
  await services.erased.refresh();
  await opened.show(sentenceView(TITLE, begunSentence(id)));
  await overwriteHome(services, identifiers.slackId);
}

const begunSentence = (id: string) =>
  `Erasure ${id} has begun. It takes a few minutes and is checked once more ten minutes later. All admins get a message when it is done.`;
