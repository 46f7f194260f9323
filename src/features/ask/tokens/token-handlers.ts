import type { OpenModal } from '../../../core/slack/blocks/views.ts';
import { alone, readSubcommand } from '../../../core/slack/commands/subcommands.ts';
import type { Click, Interaction, ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import type { AskDeps } from '../ask-deps.ts';
import { findToken, listTokens, renewToken, revokeToken } from './token-store.ts';
import { newTokenMessage, NO_TOKEN, NOT_HERE, tokensView, tokenStatusMessage, TURNED_OFF } from './token-views.ts';

type TokenDeps = Pick<AskDeps, 'config' | 'db' | 'clock'>;
type By = Interaction<FreshPerson>;

export function readTokenCommand(deps: TokenDeps, words: readonly string[]): ReadCommand {
  const parsed = readSubcommand<'open' | 'off'>(words, {
    initial: 'open',
    subcommands: { open: alone('open'), off: alone('off') },
  });
  if (parsed.kind === 'misunderstood')
    return parsed.corrected === undefined ? parsed : { ...parsed, corrected: `token ${parsed.corrected}` };
  if (parsed.kind === 'help') return parsed;
  const run = parsed.request === 'off' ? turnOff : openToken;
  return { kind: 'run', isRoleFresh: true, run: (by) => run(deps, by) };
}

async function openToken(deps: TokenDeps, by: By): Promise<void> {
  if (!takesTokens(deps)) return by.reply.show(NOT_HERE);
  const token = await findToken(deps.db, by.person.slackId, deps.clock.now());
  if (token) return by.reply.show(tokenStatusMessage(token));
  await showNewToken(deps, by);
}

/** Makes a token, which revokes the earlier one, and shows it only now. */
export async function showNewToken({ config, db, clock }: TokenDeps, { person, reply }: By): Promise<void> {
  const { tools } = config;
  if (!tools?.doors.includes('tokens')) return reply.show(NOT_HERE);
  await reply.show(newTokenMessage(tools.url, await renewToken(db, person.slackId, clock.now())));
}

/** Works also while the tools are off. */
export async function turnOff({ db, clock }: TokenDeps, { person, reply }: Interaction): Promise<void> {
  const isRevoked = await revokeToken(db, person.slackId, person.slackId, clock.now());
  await reply.show(isRevoked ? TURNED_OFF : NO_TOKEN);
}

export async function showTokens({ db, clock }: TokenDeps, opened: OpenModal): Promise<void> {
  await opened.show(tokensView(await listTokens(db, clock.now())));
}

/** *Revoke* in the list of admins; the renewed list is the answer. */
export async function revokeByAdmin(deps: TokenDeps, { person, value }: Click<FreshPerson>, opened: OpenModal) {
  await revokeToken(deps.db, value, person.slackId, deps.clock.now());
  await showTokens(deps, opened);
}

const takesTokens = ({ config }: TokenDeps) => config.tools?.doors.includes('tokens') === true;
