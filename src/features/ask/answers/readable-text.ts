import type { People } from '../../../core/slack/people/people.ts';

type Names = Pick<People, 'describe' | 'groupHandle'>;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/**
 * Writes Slack’s mrkdwn for readers outside of Slack: names instead of mentions, and times in UTC.
 *
 * @example await readableText('<@U0MIA> used 4 M', people) // '@Mia Chen used 4 M'
 */
export async function readableText(mrkdwn: string, people: Names): Promise<string> {
  const names = new Map<string, string>();
  for (const [mention, id = ''] of mrkdwn.matchAll(/<@([UW][A-Z0-9]+)>/g)) {
    if (!names.has(mention)) names.set(mention, `@${(await people.describe(id))?.name ?? id}`);
  }
  for (const [mention, id = ''] of mrkdwn.matchAll(/<!subteam\^([A-Z0-9]+)>/g)) {
    if (!names.has(mention)) names.set(mention, `@${(await people.groupHandle(id)) ?? id}`);
  }
  return mrkdwn
    .replace(/<(?:@[UW]|!subteam\^)[A-Z0-9]+>/g, (mention) => names.get(mention) ?? mention)
    .replace(/<!date\^\d+\^[^<|>]*\|([^<>]*)>/g, '$1')
    .replace(/<#([CGD][A-Z0-9]+)>/g, '#$1')
    .replace(/<(https?:[^<|>]+)(?:\|([^<>]*))?>/g, (_, address: string, label?: string) =>
      label === undefined ? address : `${label} (${address})`,
    )
    .replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
