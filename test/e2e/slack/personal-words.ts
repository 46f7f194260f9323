import { createOrganization } from '../../../src/sandbox/platform/model/organization.ts';
import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import type { Message } from '../../../src/sandbox/slack/model/workspace.ts';

/** All words that identify a person: the e-mails and names of the platform’s people, and those of Slack’s. */
export function personalWords(slack: SandboxSlack, organization: { seed: number; people: number }): string[] {
  const known = createOrganization(organization).people;
  const users = [...slack.workspace.people.values()].filter(({ isBot }) => !isBot);
  const words = [...known, ...users].flatMap(({ name, email }) => [name, email ?? '']);
  return [...new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()))];
}

/** Everything in a channel that all its readers see: texts, blocks, charts, tables and files. */
export function publicText(slack: SandboxSlack, channelName: string, fits: (message: Message) => boolean): string {
  const { workspace } = slack;
  const messages = workspace.findChannel(channelName)?.messages ?? [];
  const posted = messages.filter((message) => message.visibleTo === null && message.subtype === null && fits(message));
  const files = posted.flatMap(({ fileIds }) => fileIds.map((id) => workspace.files.get(id)));
  return [
    ...posted.map(({ text, blocks, metadata }) => JSON.stringify({ text, blocks, metadata })),
    ...files.map((file) => `${file?.name} ${file?.title} ${file?.content.toString('utf8')}`),
  ]
    .join('\n')
    .toLowerCase();
}

/** A notice of the controls, or a reply in its thread. */
export function isControlsNotice({ metadata }: Pick<Message, 'metadata'>): boolean {
  const key = metadata?.event_payload['key'];
  return typeof key === 'string' && key.startsWith('controls');
}
