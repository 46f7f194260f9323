import { z } from 'zod';
import type { Click, Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import type { Computer } from '../../core/platform/endpoints/computers.ts';
import { splitWords } from '../../core/slack/commands/command-text.ts';
import { change, inModal, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import { oldButtonSentence, plainMessage } from '../../core/slack/blocks/messages.ts';
import { hasRole } from '../../core/base/roles.ts';
import { showCreateForm } from './create/create-computer-handlers.ts';
import { CREATE_TITLE } from './create/computer-form.ts';
import { listMessage } from './views/computer-list.ts';
import { matchComputer } from './core/matching.ts';
import type { ComputerDeps } from './core/computers-deps.ts';
import { parseComputers, type ComputersRequest } from './computers-command.ts';
import { mayRetry, retryInstall } from './create/retry.ts';
import { noneMessage, severalMessage, showMessage } from './views/computer.ts';
import { isRetryable } from './core/states.ts';
import { findOrderOf } from './core/orders.ts';

export function readComputersCommand(deps: ComputerDeps, words: readonly string[]): ReadCommand {
  const role = deps.config.computersRole;
  return readVerb<ComputersRequest>(parseComputers(words), {
    list: (request) => question((by) => showList(deps, request, by)),
    show: ({ word }) => question((by) => showComputer(deps, word, by)),
    retry: ({ word }) => change((by) => retry(deps, word, by), { what: '/computers retry', role }),
    create: ({ repository }) => {
      const prefill = repository === undefined ? {} : { repos: [repository] };
      return inModal(CREATE_TITLE, (by, opened) => showCreateForm(deps, by, opened, prefill), {
        what: '/computers create',
        role,
      });
    },
  });
}

async function showComputer(deps: ComputerDeps, word: string, by: Interaction): Promise<void> {
  const computer = await findComputer(deps, word, 'show', by);
  if (computer) await by.reply.show(showMessage(computer, await isRetryOffered(deps, computer, by), deps.clock.now()));
}

async function retry(deps: ComputerDeps, word: string, by: Interaction): Promise<void> {
  const computer = await findComputer(deps, word, 'retry', by);
  if (computer) await by.reply.show(await by.refusal(await retryInstall(deps, computer, by)));
}

/** Unless exactly one computer matches, shows why. */
async function findComputer(
  { platform, clock }: ComputerDeps,
  word: string,
  kind: 'show' | 'retry',
  { reply }: Interaction,
): Promise<Computer | undefined> {
  reply.progress('Reading the computers …');
  const match = matchComputer(await platform.computers.list(), word);
  // The list may have fewer details than the computer itself.
  if (match.kind === 'one') return platform.computers.get(match.computer.id);
  await reply.show(
    match.kind === 'none'
      ? noneMessage(word, kind, match.meant)
      : severalMessage(word, kind, match.computers, clock.now()),
  );
  return undefined;
}

async function showList(
  deps: ComputerDeps,
  { filter, offset }: { filter: string; offset: number },
  { reply, person }: Interaction,
): Promise<void> {
  reply.progress('Reading the computers …');
  const all = await deps.platform.computers.list();
  const mayCreate = hasRole(person.role, deps.config.computersRole);
  await reply.show(listMessage({ all, filter, offset, mayCreate, readAt: deps.clock.now() }));
}

async function isRetryOffered(deps: ComputerDeps, computer: Computer, { person }: Interaction): Promise<boolean> {
  if (!hasRole(person.role, deps.config.computersRole) || !isRetryable(computer)) return false;
  return mayRetry(person, await findOrderOf(deps.db, computer.id));
}

/** *Retry install* on a card or answer; reads the computer again first. */
export async function retryByButton(deps: ComputerDeps, click: Click): Promise<void> {
  const computer = await deps.platform.computers.get(z.string().min(1).max(256).parse(click.value));
  await click.reply.add(await click.refusal(await retryInstall(deps, computer, click)));
}

export async function showMore(deps: ComputerDeps, click: Click): Promise<void> {
  const parsed = parseComputers(splitWords(click.value));
  if (parsed.kind === 'run' && parsed.request.kind === 'list') return showList(deps, parsed.request, click);
  await click.reply.add(plainMessage(oldButtonSentence('/computers')));
}
