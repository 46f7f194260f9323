import type { WebClient } from '@slack/web-api';
import type { RecordDisclosure } from '../../base/privacy/disclosure.ts';
import { createDisclosureGuard } from '../outbound/disclosure-guard.ts';
import type { Interactions, HomeSection } from '../interactions/interactions.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { checkBlocks } from '../blocks/rules/index.ts';
import { context, divider, header, section, type Block, type BlockMessage } from '../blocks/blocks.ts';
import { reportError } from '../blocks/faults.ts';
import { createLatePages } from './page-queue.ts';
import type { HomeOpened } from './payload.ts';
import { REFUSAL_SENTENCES, type People, type Person } from '../people/people.ts';
import { hasRole } from '../../base/roles.ts';
import { directReply, postDirectly } from './replies.ts';
import { type Reply } from '../outbound/reply.ts';
import { joinMarkup, markup, own } from '../../base/text/markup.ts';

/** One page per person, built from the sections of the features. */
export interface Home {
  /** Shows a loading view before the page if it takes long. */
  opened(event: HomeOpened): Promise<string>;
  /** Drops pages that still wait for Slack. */
  stop(): void;
  /** Never throws, because the change before it is already done. */
  refresh(slackId: string): Promise<void>;
  /** Answers by direct message, for when no modal could be opened. */
  directReply(slackId: string): Reply;
  sendDirectMessage(slackId: string, message: BlockMessage): Promise<void>;
}

const MAX_BLOCKS = 100;
/** The longest time that a person sees an empty tab. */
const PATIENCE_MS = 700;

export function createHome(deps: {
  features: readonly Interactions[];
  people: People;
  interactive: WebClient;
  clock: Clock;
  recordDisclosure: RecordDisclosure;
  log: Logger;
  /** Whether messages to the bot are answered. */
  answersWords: boolean;
}): Home {
  const sections = deps.features
    .flatMap((feature) => feature.homeSections ?? [])
    .concat(attentionSection(deps.features))
    .toSorted((one, other) => one.order - other.order);
  const last = new Map<string, Promise<void>>();
  /** Functions that end the loading view of a person, which must not arrive after the page. */
  const loading = new Map<string, () => Promise<void>>();

  const show = (slackId: string, blocks: readonly Block[]) =>
    deps.interactive.apiCall('views.publish', { user_id: slackId, view: { type: 'home', blocks } });
  const endLoading = async (slackId: string) => {
    await loading.get(slackId)?.();
    loading.delete(slackId);
  };
  const showPage = async (slackId: string, blocks: readonly Block[]) => {
    await endLoading(slackId);
    await show(slackId, blocks);
  };
  const publish = async (slackId: string) => {
    const identification = await deps.people.identify(slackId);
    if (identification.kind === 'refused') {
      await showPage(slackId, [section(markup`${REFUSAL_SENTENCES[identification.reason]}`)]);
      return;
    }
    const { person } = identification;
    const visibleSections = sections.filter(({ role }) => hasRole(person.role, role));
    const read = await Promise.all(visibleSections.map((one) => readSection(one, person, deps)));
    await showPage(slackId, pageOf(read, commandsOf(deps, person)));
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

  const pages = createLatePages({ publish: publishInTurn, clock: deps.clock, log: deps.log });
  const showLoadingAfterDelay = async (slackId: string, signal: AbortSignal) => {
    await deps.clock.sleep(PATIENCE_MS, signal);
    if (!pages.isRateLimited()) await show(slackId, [section(markup`One moment …`)]);
  };

  return {
    opened: async ({ user, tab, view }) => {
      if (tab !== 'home') return 'ignored';
      if (view === undefined) {
        const isReady = new AbortController();
        // The finished page ends the wait. If Slack refuses the loading view, nothing is lost.
        const loadingNotice = showLoadingAfterDelay(user, isReady.signal).catch(() => undefined);
        const earlier = loading.get(user);
        loading.set(user, async () => {
          isReady.abort();
          await Promise.all([loadingNotice, earlier?.()]);
        });
      }
      const outcome = await pages.publish(user);
      // A person who waits for Slack gets no loading view: it would use the quota for another person's page.
      if (outcome === 'waiting') await endLoading(user);
      return outcome;
    },
    stop: () => pages.stop(),
    refresh: async (slackId) => {
      await pages
        .publish(slackId)
        .catch((error: unknown) => deps.log.warn({ err: error, user: slackId }, 'Refreshing App Home failed'));
    },
    directReply: (slackId) => directReply(deps.interactive, slackId),
    sendDirectMessage: (slackId, message) => postDirectly(deps.interactive, slackId, message),
  };
}

/** Above every other section. */
const FIRST = -1;

function attentionSection(features: readonly Interactions[]): HomeSection {
  const sources = features.flatMap((feature) => feature.attention ?? []);
  return {
    order: FIRST,
    role: 'member',
    read: async (person, log) => {
      const usable = sources.filter(({ role }) => hasRole(person.role, role));
      const items = (await Promise.all(usable.map((source) => source.read(person, log)))).flat();
      return items.length === 0
        ? []
        : [header('Needs attention'), ...items.map(({ line, button }) => section(line, button))];
    },
  };
}

/** If a section fails, the other sections still appear. */
async function readSection(
  one: HomeSection,
  person: Person,
  { recordDisclosure, log }: { recordDisclosure: RecordDisclosure; log: Logger },
): Promise<Block[]> {
  try {
    const part = await one.read(person, log);
    const { blocks, names } = Array.isArray(part) ? { blocks: part, names: 'nobody' as const } : part;
    const violations = checkBlocks(blocks, 'home');
    if (violations.length === 0) {
      await createDisclosureGuard(recordDisclosure, person).allow(names);
      return blocks;
    }
    log.error({ violations }, 'A part of App Home breaks Slack’s rules and is not shown');
    throw new Error('A part of App Home breaks Slack’s rules');
  } catch (error) {
    const { sentence, reference } = reportError(error, log, { home: one.order, user: person.slackId });
    return [section(markup`${sentence}`), context(markup`Reference for the server log: \`${reference}\``)];
  }
}

function pageOf(read: readonly Block[][], commands: Block[]): Block[] {
  const filled = [...read.filter((blocks) => blocks.length > 0), commands].filter((blocks) => blocks.length > 0);
  const page = filled.flatMap((blocks, index) => (index === 0 ? blocks : [divider(), ...blocks]));
  return page.slice(0, MAX_BLOCKS);
}

function commandsOf(
  { features, answersWords }: { features: readonly Interactions[]; answersWords: boolean },
  person: Person,
): Block[] {
  const usable = features.flatMap((feature) => feature.commands ?? []).filter(({ role }) => hasRole(person.role, role));
  if (usable.length === 0) return [];
  const names = usable.map(({ help }) => markup`\`${own(help.command)}\``);
  const more = markup`\`/quartermaster\` shows what each is for; add \`help\` to any of them to see how it works.`;
  const words = answersWords
    ? [markup`You can also write to me under *Messages*, such as “will I run out of credits?”`]
    : [];
  return [header('Commands'), section(joinMarkup(names, '  ')), context(more, ...words)];
}
