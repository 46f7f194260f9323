import { markup, own } from '../../core/base/text/markup.ts';
import type { Services } from '../../core/services.ts';
import { prose, type AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import { declinedScopes } from '../../core/slack/client/optional-scopes.ts';

/** For `/quartermaster` of admins: what is lost without the optional scopes that were not granted. */
export async function scopeStatus({
  grantedScopes,
  config: { words },
}: Pick<Services, 'grantedScopes' | 'config'>): Promise<AnyParagraph[]> {
  const declined = declinedScopes(await grantedScopes()).filter(([scope]) => words || scope !== 'app_mentions:read');
  return declined.length === 0
    ? []
    : [prose(declined.map(([scope, { lost }]) => markup`ℹ️ Slack didn’t grant \`${own(scope)}\`: ${own(lost)}`))];
}
