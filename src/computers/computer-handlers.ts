import { z } from 'zod';
import type { Click, Interaction, ReadCommand } from '../slack/interactions.ts';
import type { Computer } from '../platform/endpoints/computers.ts';
import { splitWords } from '../slack/commands/command-words.ts';
import { oldButtonSentence, plainMessage } from '../slack/blocks/messages.ts';
import { hasRole } from '../base/roles.ts';
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

/** Decides from the words alone whether `/computers` opens a form, so that it opens at once. */
export function readComputersCommand(deps: ComputerDeps, words: readonly string[]): ReadCommand {
  const parsed = parseComputers(words);
  if (parsed.kind !== 'run') return parsed;
  const { request } = parsed;
  if (request.kind !== 'create') {
    const isQuestion = request.kind !== 'retry';
    return { kind: 'run', isQuestion, run: (interaction) => runRequest(deps, request, interaction) };
  }
  const prefill = request.repository === undefined ? {} : { repos: [request.repository] };
  return {
    kind: 'modal',
    title: CREATE_TITLE,
    run: (interaction, opened) => showCreateForm(deps, interaction, opened, prefill),
  };
}

type RunRequest = Exclude<ComputersRequest, { kind: 'create' }>;

async function runRequest(deps: ComputerDeps, request: RunRequest, interaction: Interaction): Promise<void> {
  const { reply, person } = interaction;
  if (request.kind === 'list') return showList(deps, request, interaction);
  if (request.kind === 'retry' && !hasRole(person.role, deps.config.computersRole)) {
    return reply.show(await interaction.refusal({ what: '/computers retry', role: deps.config.computersRole }));
  }
  reply.progress('Reading the computers …');
  const now = deps.clock.now();
  const match = matchComputer(await deps.platform.computers.list(), request.word);
  if (match.kind === 'none') return reply.show(noneMessage(request.word, request.kind, match.meant));
  if (match.kind === 'several') {
    return reply.show(severalMessage(request.word, request.kind, match.computers, now));
  }
  // The list may have fewer details than the computer itself.
  const computer = await deps.platform.computers.get(match.computer.id);
  if (request.kind === 'retry')
    return reply.show(await interaction.refusal(await retryInstall(deps, computer, interaction)));
  await reply.show(showMessage(computer, await isRetryOffered(deps, computer, interaction), now));
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
