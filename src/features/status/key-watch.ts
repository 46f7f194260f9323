import { markup, readerTime, type Markup } from '../../core/base/text/markup.ts';
import type { Services } from '../../core/services.ts';
import type { AttentionItem } from '../../core/slack/interactions/interactions.ts';
import {
  declareRefusalNotice,
  refusalAttention,
  refusalWatch,
  type RefusalEvidence,
  type RefusalWatch,
} from '../../core/watches/refusal-watch.ts';

const NAME = 'platform-key';
const keyNotice = declareRefusalNotice(NAME);

export const keyWatch = (
  deps: Pick<Services, 'db' | 'clock' | 'people'>,
  evidence: () => RefusalEvidence,
): ReturnType<typeof refusalWatch> =>
  refusalWatch(deps, {
    topic: 'platform_key',
    name: NAME,
    job: {
      name: 'watch-platform-key',
      cron: '* * * * *',
      purpose: 'informs admins if the platform refuses the API key',
    },
    notice: keyNotice,
    evidence,
    lines: keyLines,
  });

export const keyAttention = (evidence: RefusalEvidence, now: Date): AttentionItem[] =>
  refusalAttention(evidence, 'The platform has refused the API key', now);

function keyLines({ state, since }: Parameters<RefusalWatch['lines']>[0]): Markup[] {
  const at = readerTime(new Date(since));
  return state === 'refused'
    ? [
        markup`⚠️ *The platform has refused Quartermaster’s API key since ${at}.*`,
        markup`Figures, limits and computers won’t work until the server operator sets a new PLATFORM_API_KEY and restarts Quartermaster. Digests wait for it.`,
      ]
    : [markup`✅ *The platform accepts Quartermaster’s API key again*, since ${at}.`];
}
