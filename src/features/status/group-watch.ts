import { markup, own, readerTime, type Markup } from '../../core/base/text/markup.ts';
import type { Services } from '../../core/services.ts';
import type { AttentionItem } from '../../core/slack/interactions/interactions.ts';
import {
  declareRefusalNotice,
  refusalAttention,
  refusalWatch,
  type RefusalEvidence,
  type RefusalWatch,
} from '../../core/watches/refusal-watch.ts';

const NAME = 'user-groups';
const groupNotice = declareRefusalNotice(NAME);

/** User groups in `ADMINS` and `MANAGERS` count as empty while Slack refuses them, so people lose their roles. */
export const groupWatch = (deps: Pick<Services, 'db' | 'clock' | 'people'>): ReturnType<typeof refusalWatch> =>
  refusalWatch(deps, {
    topic: 'user_groups',
    name: NAME,
    job: {
      name: 'watch-user-groups',
      cron: '* * * * *',
      purpose: 'informs admins if Slack refuses a user group of the settings',
    },
    notice: groupNotice,
    refresh: () => deps.people.readSettingsGroups(),
    evidence: () => deps.people.groupEvidence(),
    lines: groupLines,
  });

export const groupAttention = (evidence: RefusalEvidence, now: Date): AttentionItem[] =>
  refusalAttention(evidence, 'Slack has refused user groups of the settings', now);

function groupLines({ state, since, codes = [] }: Parameters<RefusalWatch['lines']>[0]): Markup[] {
  const at = readerTime(new Date(since));
  return state === 'refused'
    ? [
        markup`⚠️ *Slack has refused user groups in ADMINS or MANAGERS since ${at}* (${own(codes.join(', '))}).`,
        markup`They count as empty, so their people don’t have these roles. The server operator finds the groups in the log; \`npm run doctor\` says how to fix each.`,
      ]
    : [markup`✅ *Slack shows the user groups in ADMINS and MANAGERS again*, since ${at}.`];
}
