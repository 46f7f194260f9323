import type { DeliveryKind } from '../../outbox/attempt.ts';
import { context, message, section } from '../../slack/blocks/blocks.ts';
import { joinMarkup, markup, mention, type Markup } from '../../markup.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsParts } from '../core/parts.ts';
import { watchedMarkup } from '../watch/handlers.ts';
import { findWatch, namesOf } from '../watch/watches.ts';

const ASK_AGAIN_MS = 1_000;

/** Tells the people of a channel what will come, from which revision on, and who wanted it. */
export function introductionDelivery({ db, clock }: ControlsParts): DeliveryKind {
  return {
    prepare: async ({ channel }) => {
      const watch = await findWatch(db, channel);
      if (!watch || watch.state === 'removed') return { kind: 'skip', reason: 'The watch was ended.' };
      const now = clock.now();
      const cursor = await readCursor(db);
      if (cursor.started_at === null) {
        const until = new Date(now.getTime() + ASK_AGAIN_MS);
        return { kind: 'wait', until, reason: 'The history of the enterprise controls could not be read yet.' };
      }
      const who =
        watch.owner === null
          ? markup`The settings of Quartermaster say that`
          : markup`${mention(watch.owner)} set up that`;
      const what = markup`${who} this channel gets ${watchedMarkup(namesOf(watch))}, and who made it.`;
      const from = sinceMarkup(watch.since_revision ?? cursor.revision);
      const lines = joinMarkup([what, from], '\n');
      const how = markup`\`/controls\` shows the latest revision, \`/controls history\` the ones before. An admin ends this with \`/controls unwatch\`.`;
      return { kind: 'send', message: message(lines, [section(lines), context(how)]) };
    },
  };
}

function sinceMarkup(revision: number | null): Markup {
  if (revision === null) return markup`There is no revision yet; the first one will be told.`;
  return markup`The latest revision is *${revision}*; every one after it will be told, each once.`;
}
