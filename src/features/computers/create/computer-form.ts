import { z } from 'zod';
import { COMPUTER_LIMITS, type Computer } from '../../../core/platform/endpoints/computers.ts';
import { actions, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import { MAX_TYPED_TEXT_LENGTH } from '../../../core/slack/blocks/inputs.ts';
import {
  checkField,
  defineForm,
  selectField,
  textField,
  type FormValues,
} from '../../../core/slack/interactions/form-fields.ts';
import { clip, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { modal, type FormState, type ModalView } from '../../../core/slack/blocks/views.ts';
import { errorsOf, type FormErrors, type FormRule } from '../../../core/slack/interactions/forms.ts';
import { anotherButton } from '../core/computer-buttons.ts';
import { ageWords, statusWords } from '../core/text.ts';
import type { StoredBody } from '../core/orders.ts';

export const CREATE_FORM = 'computers_create_form';
export const CREATE_TITLE = 'New computer';
export const PROVIDER_ACTION = 'computers_provider';

const metadataSchema = z.object({
  /** The key of this form, so that a form submitted twice is one order. */
  key: z.uuid(),
  /** The channel of the command; empty in App Home. */
  channel: z.string().max(40),
});
export type FormMetadata = z.infer<typeof metadataSchema>;

export const readMetadata = (text: string): FormMetadata => metadataSchema.parse(JSON.parse(text));

export type Draft = Partial<StoredBody>;

const PLATFORMS_CHOICE = 'any';
/** The platform's own machines, under their name in the contract. */
export const MANAGED = 'hosted';

interface FieldFacts {
  /** The channel of the command, if a card may be posted there. */
  channelName?: string | undefined;
}

const computerFields = defineForm<FieldFacts>()(
  {
    name: textField(() => ({ label: 'Name', placeholder: 'build-eu-2', longest: COMPUTER_LIMITS.nameLength })),
    remoteUser: textField(() => ({
      label: 'Remote user',
      hint: 'The machine account that sessions use, usually agent.',
      placeholder: 'agent',
      longest: COMPUTER_LIMITS.remoteUserLength,
    })),
    provider: selectField(() => ({
      label: 'Provider',
      actionId: PROVIDER_ACTION,
      options: [
        { value: PLATFORMS_CHOICE, text: 'Whatever the platform chooses' },
        { value: MANAGED, text: 'Hosted by the platform' },
        { value: 'byom', text: 'Our own machine (byom)' },
      ],
    })),
    hostId: textField(() => ({
      label: 'Host id',
      hint: 'The host id of your machine, a UUID.',
      isOptional: true,
      longest: 100,
    })),
    repos: textField(() => ({
      label: 'Repositories',
      hint: `One a line, at most ${COMPUTER_LIMITS.repos}: an address or, if it has a readiness report, its name.`,
      isOptional: true,
      isMultiline: true,
      placeholder: 'acme/web',
      longest: MAX_TYPED_TEXT_LENGTH,
    })),
    install: checkField(() => ({
      label: 'Dependencies',
      option: { value: 'install', text: 'Install the repositories’ dependencies' },
    })),
    follow: checkField(({ channelName = '' }) => ({
      label: 'Progress',
      hint: 'A card shows how far it is: by direct message, or for everybody in the channel.',
      option: { value: 'follow', text: `Also follow it in #${clip(channelName, 40)}` },
    })),
  },
  {
    hostId: (_facts, { provider }) => provider === 'byom',
    follow: ({ channelName }) => channelName !== undefined,
  },
);

/** @param draft what is known before @param channelName the channel of the command, if a card may be posted there */
export function createForm(draft: Draft, metadata: FormMetadata, channelName?: string): ModalView {
  const { name = '', remoteUser = '', provider = PLATFORMS_CHOICE, hostId = '', repos = [] } = draft;
  const install = draft.autoInstallDeps !== false;
  return valuesView(
    { name, remoteUser, provider, hostId, repos: repos.join('\n'), install, follow: false },
    metadata,
    channelName,
  );
}

/** Returns the form with what was typed, after a choice that shows other fields. */
export const formAfterChoice = (state: FormState, metadata: FormMetadata, channelName?: string): ModalView =>
  valuesView(computerFields.read(state), metadata, channelName);

/** Returns the submitted form with what was typed, below a sentence. */
export function formWithProblem(
  { repos = [], ...body }: StoredBody,
  { isFollowed, ...metadata }: FormMetadata & { isFollowed: boolean },
  channelName: string | undefined,
  problem: string,
): ModalView {
  const { provider = PLATFORMS_CHOICE, hostId = '', autoInstallDeps: install } = body;
  const values = { ...body, provider, hostId, repos: repos.join('\n'), install, follow: isFollowed };
  return valuesView(values, metadata, channelName, [section(markup`⚠️ ${problem}`)]);
}

function valuesView(
  values: FormValues<typeof computerFields>,
  metadata: FormMetadata,
  channelName: string | undefined,
  above: readonly Block[] = [],
): ModalView {
  const blocks = [...above, ...computerFields.blocks({ channelName }, values)];
  return modal({
    title: CREATE_TITLE,
    submit: 'Create',
    callbackId: CREATE_FORM,
    metadata: JSON.stringify(metadata),
    blocks,
  });
}

export function readForm(state: FormState): { body: StoredBody; isFollowed: boolean; errors: FormErrors } {
  const { name, remoteUser, provider, hostId, repos: typedRepos, install, follow } = computerFields.read(state);
  const repos = typedRepos
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const body: StoredBody = {
    name,
    remoteUser,
    ...(provider === MANAGED || provider === 'byom' ? { provider } : {}),
    ...(hostId === '' || provider !== 'byom' ? {} : { hostId }),
    ...(repos.length === 0 ? {} : { repos }),
    autoInstallDeps: install,
  };
  return { body, isFollowed: follow, errors: errorsOf(rulesFor(body)) };
}

function rulesFor({ name, remoteUser, hostId, repos = [] }: StoredBody): FormRule[] {
  const { nameLength, remoteUserLength, repos: mostRepos } = COMPUTER_LIMITS;
  const wrongAddress = repos.map(addressProblem).find((problem) => problem !== undefined);
  const isOddUser = remoteUser !== '' && !USER_NAME.test(remoteUser);
  const isOddHost = hostId !== undefined && !z.uuid().safeParse(hostId).success;
  return [
    [isWrongLength(name, nameLength), 'name', `Type a name of 1 to ${nameLength} characters.`],
    [isOddUser, 'remoteUser', 'A user name has letters, digits and . _ - @ \\ only, such as agent.'],
    [isWrongLength(remoteUser, remoteUserLength), 'remoteUser', `Type a user of 1 to ${remoteUserLength} characters.`],
    [isOddHost, 'hostId', 'This is no UUID such as 3d6f0a4e-52d1-4c7e-9a3b-0f1e2d3c4b5a.'],
    [repos.length > mostRepos, 'repos', `These are ${repos.length} repositories; ${mostRepos} are the most.`],
    [wrongAddress !== undefined, 'repos', wrongAddress ?? ''],
  ];
}

/** Any other name is a typo, or meant for a shell. */
const USER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._@\\$-]{0,62}$/u;

const isWrongLength = (text: string, most: number) => text.length < 1 || text.length > most;

/** The last parts of the name of a repository, or all of it without a scheme. */
const REPOSITORY_NAME = /^[\p{L}\p{N}._-]{1,200}(?:\/[\p{L}\p{N}._-]{1,200}){1,10}$/u;

export const isRepositoryName = (typed: string): boolean => REPOSITORY_NAME.test(typed);

function addressProblem(address: string, index: number): string | undefined {
  if (address.length > COMPUTER_LIMITS.repoLength) return `Repository ${index + 1} is longer than 2,048 characters.`;
  if (isRepositoryName(address) || z.url().safeParse(address).success) return undefined;
  return `“${clip(address, 60)}” is no address such as https://github.com/acme/web.`;
}

/**
 * A name of lowercase letters, digits and hyphens, as some platforms take it; undefined if the name is one already.
 *
 * @example suggestName('Fresh One') // 'fresh-one'
 */
export function suggestName(name: string): string | undefined {
  const plainLetters = name.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  const words = plainLetters.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const suggestion = words.join('-') || 'computer';
  return suggestion === name ? undefined : suggestion;
}

const MAX_NAMED = 5;

export function sameNameView(orderId: string, name: string, same: readonly Computer[], now: Date): ModalView {
  return modal({
    title: CREATE_TITLE,
    blocks: [section(sameNameLines(name, same, now)), actions(anotherButton(orderId))],
  });
}

export function sameNameLines(name: string, same: readonly Computer[], now: Date): Markup[] {
  const exists = same.length === 1 ? 'There is a computer' : `There are ${countOf(same.length, 'computer')}`;
  const lines = same
    .slice(0, MAX_NAMED)
    .map(
      (computer) =>
        markup`•  \`${clip(computer.id, 100)}\`: ${clip(computer.providerType, 40)}, ${statusWords(computer)}, user ${computer.remoteUser ?? 'unknown'}, ${ageWords(computer, now)} old`,
    );
  return [markup`*${exists} of the name ${name} already.* Nothing was created.`, ...lines];
}
