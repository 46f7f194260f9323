/** Slack's escaping of typed text: https://docs.slack.dev/messaging/formatting-message-text */
import type { Workspace } from './workspace.ts';

const escapeMarks = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const MENTIONS = /(?<![\w.@#&])([@#])([\p{L}\d][\p{L}\d._-]*[\p{L}\d]|[\p{L}\d])/giu;
const ADDRESSES = /(https?:\/\/[^\s<>|]+)|((?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/** Escapes a slash command's text with `should_escape`: mentions, channels and addresses get Slack's angle brackets. */
export function escapeCommandText(workspace: Workspace, text: string): string {
  return linkAddresses(replaceMentions(workspace, escapeMarks(text), true));
}

/** Escapes a person's message: mentions without names, as in messages. */
export function escapeMessageText(workspace: Workspace, text: string): string {
  return replaceMentions(workspace, escapeMarks(text), false);
}

function linkAddresses(text: string): string {
  return text.replaceAll(ADDRESSES, (_, url: string | undefined, email: string | undefined) =>
    url === undefined ? `<mailto:${email}|${email}>` : `<${url}>`,
  );
}

function replaceMentions(workspace: Workspace, text: string, withNames: boolean): string {
  return text.replaceAll(MENTIONS, (typed: string, mark: string, name: string) => {
    const mention = mark === '#' ? channelMention(workspace, name) : personMention(workspace, name, withNames);
    return mention ?? typed;
  });
}

function channelMention(workspace: Workspace, name: string): string | undefined {
  const channel = workspace.findChannel(name);
  return channel && `<#${channel.id}|${channel.name}>`;
}

function personMention(workspace: Workspace, name: string, withNames: boolean): string | undefined {
  const lowerName = name.toLowerCase();
  const person = [...workspace.people.values()].find(({ handle }) => handle.toLowerCase() === lowerName);
  if (person) return withNames ? `<@${person.id}|${person.handle}>` : `<@${person.id}>`;
  const group = [...workspace.userGroups.values()].find(({ handle }) => handle.toLowerCase() === lowerName);
  if (!group) return undefined;
  return withNames ? `<!subteam^${group.id}|@${group.handle}>` : `<!subteam^${group.id}>`;
}
