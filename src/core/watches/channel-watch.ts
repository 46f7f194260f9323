import { z } from 'zod';
import { parseJson } from '../base/text/parse-json.ts';
import { hasRole } from '../base/roles.ts';
import { channelMention, joinMarkup, markup, own, type Markup } from '../base/text/markup.ts';
import { isPersonAddress } from '../outbox/reader.ts';
import { MAX_BUTTON_VALUE_LENGTH, button, section, type Block, type Button } from '../slack/blocks/blocks.ts';
import { plainMessage } from '../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../slack/blocks/paragraphs.ts';
import type { ClickAction, Interaction, Leaver, RecurringPost } from '../slack/interactions/interactions.ts';
import type { Channels } from '../slack/outbound/channels/channels.ts';
import type { Person } from '../slack/people/people.ts';
import { isInUse, isPausedByPerson, type ChannelSubscription } from './channel-subscription-table.ts';
import { testButton, testMessage } from './example-message.ts';
import { AFTER_PAUSE, readLast } from './last-message.ts';
import { startChannelSubscription, stopChannelSubscriptions } from './channel-subscriptions.ts';
import { changePause } from './paused-subscriptions.ts';
import { pauseActions, pauseButton } from './pausing.ts';
import { type SubscriptionTexts, rowMarkup, subscriptionRows } from './watch-texts.ts';
import type { NoticeDeps } from '../outbox/owner-notices.ts';
import { watchMessages } from './watch-deliveries.ts';
import type { NewWatch, Watch, WatchRequest, WatchSpec } from './watch-spec.ts';

/** The part of an interaction that ends a watch. */
type Ending = Pick<Interaction, 'refreshHome'> & {
  person: Pick<Person, 'slackId'>;
  reply: Pick<Interaction['reply'], 'show'>;
};

/** The watch in a button’s value, which a client can forge. Released buttons hold the channel alone, or `repository`. */
const buttonValue = z.union([
  z.object({ channel: z.string().max(40), subject: z.string() }),
  z
    .object({ channel: z.string().max(40), repository: z.string() })
    .transform(({ channel, repository: subject }) => ({ channel, subject })),
]);
const releasedValue = z
  .string()
  .max(40)
  .transform((channel) => ({ channel, subject: '' }));
const valueOf = ({ channel, subject }: z.infer<typeof buttonValue>): string => JSON.stringify({ channel, subject });
const valueOfButton = (watch: z.infer<typeof buttonValue>): string | undefined =>
  valueOf(watch).length > MAX_BUTTON_VALUE_LENGTH ? undefined : valueOf(watch);
const readButton = (value: string) => buttonValue.safeParse(parseJson(value)).data ?? releasedValue.parse(value);

/** The commands, the button, App Home and the messages of the watches of a feature. */
export function channelWatch<Request extends WatchRequest, Options, Stored>(
  deps: NoticeDeps & { channels: Pick<Channels, 'join' | 'find'> },
  spec: WatchSpec<Request, Options, Stored>,
) {
  const { db, clock, channels } = deps;
  const { watches, command, role, says } = spec;
  const { kind } = watches;
  const actionId = `${kind}_unwatch`;
  const testActionId = `${kind}_test`;
  const read = (row: ChannelSubscription): Watch<Options> => ({ ...row, options: watches.optionsOf(row) });
  const offer = (watch: Watch<Options>) => says.offer?.(watch) ?? says.what(watch);
  const stopButton = ({ channel, subject }: Pick<ChannelSubscription, 'channel' | 'subject'>): Button | undefined => {
    const value = valueOfButton({ channel, subject });
    if (value === undefined) return undefined;
    const text = markup`${own(says.alerts)} for ${placeWords(channel)} will end. What was posted stays.`;
    const confirm = { title: 'Stop alerts here?', text, deny: 'Keep them' };
    return button({ text: 'Turn off', actionId, value, confirm });
  };
  /** Undefined if Quartermaster paused it: then it is set up again. */
  const pauseButtonOf = (row: ChannelSubscription): Button | undefined => {
    const value = valueOfButton(row);
    return value !== undefined && isInUse(row) ? pauseButton(kind, row, value) : undefined;
  };
  const texts: SubscriptionTexts = {
    kind,
    command,
    describe: (row) => says.what(read(row)),
    stopButton,
    resumeButton: (row) => (isPausedByPerson(row) ? pauseButtonOf(row) : undefined),
    setUpAgain: (row) => says.again(read(row)),
    writeIntroduction: async (row) => {
      const watch = read(row);
      const start = says.introduce ? await says.introduce(watch) : says.start;
      if ('kind' in start) return start;
      const words = own(`${command} ${says.unwatch?.(watch) ?? 'unwatch'}`);
      const end = markup`${role === 'admin' ? 'An admin' : 'A manager'} can stop this with \`${words}\`.`;
      const commands = says.more ? joinMarkup([says.more, end], ' ') : end;
      return { kind: 'introduction', subject: offer(watch), start, commands };
    },
  };
  const isRefused = async (word: string, by: Interaction): Promise<boolean> => {
    if (hasRole(by.person.role, role)) return false;
    await by.reply.show(await by.refusal({ what: `${command} ${word}`, role }));
    return true;
  };
  const placeOf = ({ channel, isForMe }: Request, by: Interaction) =>
    isForMe ? by.person.slackId : (channel ?? by.channel);

  /** Finds the watch of a button, which a client can forge. */
  const findOwn = async (value: string, { slackId }: Pick<Person, 'slackId'>) => {
    const { channel, subject } = readButton(value);
    const isOthers = isPersonAddress(channel) && channel !== slackId;
    const row = isOthers ? undefined : await watches.find(db, channel, subject);
    return row ? { subject: row } : { refusal: markup`${own(says.alerts)} are already off there.` };
  };

  /** Stores a watch and its introduction together. A watch that a person paused is resumed. */
  const start = (channel: string, owner: string | null, { whenStarted, options, ...more }: NewWatch<Stored>) =>
    db.transaction().execute(async (trx) => {
      const now = clock.now();
      const key = { kind, channel, subject: more.subject };
      const resumed = { change: 'resume', by: owner ?? '', missed: spec.missed } as const;
      const isResumed = owner !== null && (await changePause(trx, key, resumed, now));
      const row = { kind, channel, owner, filter: options, ...more };
      const isNew = await startChannelSubscription(trx, row, now);
      if (isNew) await whenStarted?.(trx);
      return isNew ? 'new' : isResumed ? 'resumed' : 'unchanged';
    });

  const stop = (channel: string, subject: string | undefined, actor: string) =>
    stopChannelSubscriptions(db, { kind, channel, subject }, actor, clock.now());

  const stopAndTell = async (
    place: string | undefined,
    subject: string | undefined,
    interaction: Ending,
  ): Promise<void> => {
    const { person, reply } = interaction;
    const isOthers = place !== undefined && isPersonAddress(place) && place !== person.slackId;
    const stopped = place === undefined || isOthers ? [] : await stop(place, subject, person.slackId);
    const words = place === undefined || isOthers ? markup`this channel` : placeWords(place);
    const isFromSettings = spec.setting !== undefined && stopped.some(({ owner }) => owner === null);
    const setting = isFromSettings
      ? markup` It comes from the server settings: remove ${spec.setting ?? ''} there too, or it’s back at the next start.`
      : markup``;
    const sentence =
      stopped.length === 0
        ? markup`${own(says.alerts)} for ${words} are already off.`
        : markup`✅ ${own(says.alerts)} for ${words} are off: ${joinMarkup(stopped.map((row) => texts.describe(row)))}.${setting}`;
    await reply.show(plainMessage(sentence));
    await interaction.refreshHome();
  };

  return {
    start,
    stop,
    messages: watchMessages(deps, texts),
    /** The bot joins the channel first: if it needs an invitation, the person is still there to give one. */
    watch: async (request: Request, interaction: Interaction): Promise<void> => {
      if (await isRefused('watch', interaction)) return;
      const { person, reply } = interaction;
      const place = placeOf(request, interaction);
      if (place === '')
        return reply.show(plainMessage(`Which channel? Name one with #${spec.takesMe ? ', or type me' : ''}.`));
      const checked = await spec.check(request, interaction, place);
      if ('refusal' in checked) return reply.show(checked.refusal);
      const entry = request.isForMe
        ? { kind: 'joined' as const, channel: place }
        : await channels.join(place, person.slackId);
      if (entry.kind === 'refused') return reply.show(plainMessage(`Nothing is set up yet. ${entry.sentence}`));
      const { channel } = entry;
      const result = await start(channel, person.slackId, checked);
      const options = watches.options.parse(checked.options);
      const gets = isPersonAddress(channel) ? markup`You now get` : markup`${channelMention(channel)} now gets`;
      const sentence = markup`✅ ${gets} ${offer({ ...checked, channel, options })}`;
      const text = {
        new: markup`${sentence}. ${says.start}`,
        resumed: markup`${sentence}. It is no longer paused. ${says.pause.resume}`,
        unchanged: markup`${sentence} (it was set up before).`,
      }[result];
      const off = stopButton({ channel, subject: checked.subject });
      await reply.show(messageOf(prose(text), buttonRow(...(off ? [off] : []))));
      await interaction.refreshHome();
    },
    unwatch: async (request: Request, interaction: Interaction): Promise<void> => {
      if (await isRefused('unwatch', interaction)) return;
      const ended = (await spec.subjectToEnd?.(request)) ?? { subject: undefined };
      if ('refusal' in ended) return interaction.reply.show(ended.refusal);
      const named = placeOf(request, interaction);
      const place = request.isForMe ? named : await channels.find(named);
      await stopAndTell(place, ended.subject, interaction);
    },
    action: {
      actionId,
      role,
      isKept: true,
      run: (click: Ending & { value: string }) => {
        const { channel, subject } = readButton(click.value);
        return stopAndTell(channel, subject, click);
      },
    } satisfies ClickAction,
    testAction: {
      actionId: testActionId,
      role,
      run: async ({ value, person, reply }) => {
        const answer = await findOwn(value, person);
        if ('refusal' in answer) return reply.add(plainMessage(answer.refusal));
        const { subject: row } = answer;
        const example = await says.example(read(row));
        await reply.add(
          'none' in example
            ? plainMessage(example.none)
            : testMessage(example.message, placeWords(row.channel), example.content),
        );
      },
    } satisfies ClickAction,
    pauseActions: pauseActions<ChannelSubscription>(deps, {
      prefix: kind,
      role,
      words: says.pause,
      find: ({ value, person }) => findOwn(value, person),
      nameOf: (row) => markup`${own(says.alerts)} for ${placeWords(row.channel)} (${says.what(read(row))})`,
      change: (trx, { channel, subject }, by, now) =>
        changePause(trx, { kind, channel, subject }, { ...by, missed: spec.missed }, now),
    }),
    recurringPosts: async (place: string, person: Person): Promise<RecurringPost[]> => {
      const rows = (await watches.list(db)).filter(({ channel }) => channel === place);
      const maySee = place === person.slackId || hasRole(person.role, 'manager');
      if (!maySee || rows.length === 0) return [];
      const withLast = await readLast(db, { kind: spec.notice, channel: place });
      return rows.map((row) => {
        const off = hasRole(person.role, role) ? stopButton(row) : undefined;
        const pause = pauseButtonOf(row);
        const next = isInUse(row) ? [withLast(row.state === 'active' ? says.next : AFTER_PAUSE)] : [];
        const lines = [rowMarkup(row, texts), ...next];
        const buttons = off ? [testButton(testActionId, valueOf(row)), ...(pause ? [pause] : []), off] : [];
        return { lines, buttons };
      });
    },
    /** A watch by direct message ends by itself when its reader leaves. */
    belongingsOf: async ({ slackId }: Leaver): Promise<RecurringPost[]> =>
      (await watches.list(db))
        .filter(({ owner, channel }) => slackId !== undefined && owner === slackId && !isPersonAddress(channel))
        .map((row) => {
          const off = stopButton(row);
          return { lines: [rowMarkup(row, texts)], buttons: off ? [off] : [] };
        }),
    /** Direct messages are visible to their recipient only. */
    homeRows: async (person: Person): Promise<Block[]> => {
      const rows = (await watches.list(db)).filter(
        ({ channel }) => !isPersonAddress(channel) || channel === person.slackId,
      );
      const mayChange = hasRole(person.role, role);
      if (rows.length > 0) return subscriptionRows(rows, texts, mayChange);
      if (says.nothing === undefined) return [];
      const how = mayChange
        ? markup`Type \`${own(command)} watch #channel\` to set one up.`
        : markup`An admin can set it up with \`${own(command)} watch #channel\`.`;
      return [section(markup`No channel gets ${own(says.nothing)}. ${how}`)];
    },
  };
}

const placeWords = (channel: string): Markup => (isPersonAddress(channel) ? markup`you` : channelMention(channel));
