import { HiddenPeopleError, type Names, type RecordDisclosure } from '../../base/privacy/disclosure.ts';
import type { OpenModal } from '../blocks/views.ts';
import type { Person } from '../people/people.ts';
import type { Reply } from './reply.ts';

/**
 * Refuses figures of people that the person may not see, and records others before they are shown.
 *
 * @throws if a feature shows more than the person may see; then nothing is shown
 */
export function createDisclosureGuard(record: RecordDisclosure, { slackId, email, seesPeople }: AnswerReader) {
  const allow = async (to: string, names: Names = 'nobody') => {
    if (names === 'nobody') return;
    const isOwn = names.of !== 'everybody' && names.of.every((one) => one === email);
    if (!seesPeople && !isOwn) throw new HiddenPeopleError();
    await record({ to, self: to === slackId ? email : undefined, names });
  };
  return {
    /** Call it before a page, file or view that only this person sees. */
    allow: (names: Names | undefined) => allow(slackId, names),
    reply: (reply: Reply, channel: string): Reply => ({
      ...reply,
      show: async (message) => {
        await allow(slackId, message.names);
        await reply.show(message);
      },
      add: async (message) => {
        await allow(slackId, message.names);
        await reply.add(message);
      },
      share: async (message) => {
        await allow(channel, message.names);
        await reply.share(message);
      },
    }),
    modal: (opened: OpenModal): OpenModal => ({
      show: async (view) => {
        await allow(slackId, view.names);
        await opened.show(view);
      },
    }),
  };
}

type AnswerReader = Pick<Person, 'slackId' | 'email' | 'seesPeople'>;
