import type { WebClient } from '@slack/web-api';
import type { Interactions, HomeSection } from '../interactions.ts';
import type { Logger } from '../../base/log.ts';
import { checkBlocks } from '../blocks/rules/index.ts';
import { context, divider, header, section, type Block } from '../blocks/blocks.ts';
import { reportError } from '../blocks/faults.ts';
import { homeOpenedEvent } from './payloads.ts';
import { REFUSAL_SENTENCES, type People, type Person } from '../people/people.ts';
import { hasRole } from '../../base/roles.ts';
import { directReply, type Reply } from './reply.ts';
import { joinMarkup, markup, own } from '../../base/text/markup.ts';

/** App Home: one page for each person, put together from what the features have to say. */
export interface Home {
  /** Somebody looks at it: a loading view at once if there was none, then all of it. */
  opened(event: unknown): Promise<string>;
  /** Shows it again. Never throws: what it follows has been done already. */
  refresh(slackId: string): Promise<void>;
  /** Answers by direct message, where no modal could be opened. */
  directReply(slackId: string): Reply;
}

const MAX_BLOCKS = 100;

export function createHome(deps: {
  features: readonly Interactions[];
  people: People;
  interactive: WebClient;
  log: Logger;
}): Home {
  const sections = deps.features
    .flatMap((feature) => feature.homeSections ?? [])
    .toSorted((one, other) => one.order - other.order);
  const last = new Map<string, Promise<void>>();

  const show = (slackId: string, blocks: readonly Block[]) =>
    deps.interactive.apiCall('views.publish', { user_id: slackId, view: { type: 'home', blocks } });
  const publish = async (slackId: string) => {
    const identification = await deps.people.identify(slackId);
    if (identification.kind === 'refused') {
      await show(slackId, [section(markup`${REFUSAL_SENTENCES[identification.reason]}`)]);
      return;
    }
    const { person } = identification;
    const shown = sections.filter(({ role }) => hasRole(person.role, role));
    const read = await Promise.all(shown.map((one) => readSection(one, person, deps.log)));
    await show(slackId, pageOf(read, commandsOf(deps.features, person)));
  };
  // One after another for each person, or an older page could be published over a newer one.
  const publishInTurn = (slackId: string) => {
    const turn = (last.get(slackId) ?? Promise.resolve()).then(() => publish(slackId));
    const settled = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(slackId) === settled) last.delete(slackId);
      });
    last.set(slackId, settled);
    return turn;
  };

  return {
    opened: async (event) => {
      const { user, tab, view } = homeOpenedEvent.parse(event);
      if (tab !== 'home') return 'ignored';
      if (view === undefined) await show(user, [section(markup`One moment …`)]);
      await publishInTurn(user);
      return 'published';
    },
    refresh: async (slackId) => {
      await publishInTurn(slackId).catch((error: unknown) =>
        deps.log.warn({ err: error, user: slackId }, 'App Home could not be shown again'),
      );
    },
    directReply: (slackId) => directReply(deps.interactive, slackId),
  };
}

/** A part that fails costs that part alone. */
async function readSection(one: HomeSection, person: Person, log: Logger): Promise<Block[]> {
  try {
    const blocks = await one.read(person, log);
    const violations = checkBlocks(blocks, 'home');
    if (violations.length === 0) return blocks;
    log.error({ violations }, 'A part of App Home breaks Slack’s rules and is not shown');
    throw new Error('A part of App Home breaks Slack’s rules');
  } catch (error) {
    const { sentence, reference } = reportError(error, log, { home: one.order, user: person.slackId });
    return [section(markup`${sentence}`), context(markup`Reference for the operator’s log: \`${reference}\``)];
  }
}

function pageOf(read: readonly Block[][], commands: Block[]): Block[] {
  const filled = [...read.filter((blocks) => blocks.length > 0), commands].filter((blocks) => blocks.length > 0);
  const page = filled.flatMap((blocks, index) => (index === 0 ? blocks : [divider(), ...blocks]));
  return page.slice(0, MAX_BLOCKS);
}

function commandsOf(features: readonly Interactions[], person: Person): Block[] {
  const usable = features.flatMap((feature) => feature.commands ?? []).filter(({ role }) => hasRole(person.role, role));
  if (usable.length === 0) return [];
  const names = usable.map(({ help }) => markup`\`${own(help.command)}\``);
  const more = markup`\`/quartermaster\` shows what each is for; add \`help\` to any of them to see how it works.`;
  return [header('Commands'), section(joinMarkup(names, '  ')), context(more)];
}
