import type { Feature } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Database } from '../store/database.ts';
import { answerUsage, type UsageParts } from './answer.ts';
import { summarySection } from './digest-section.ts';
import { SHARE_ACTION, SHARE_WITH_PEOPLE_ACTION } from './pieces.ts';
import { parseUsage, USAGE_HELP } from './request.ts';
import { shareUsage } from './share.ts';

/** `/usage`: what the organization, a team or a person used. */
export function createUsageFeature(parts: UsageParts & { db: Database; log: Logger }): Feature {
  return {
    name: 'usage',
    commands: [
      {
        help: USAGE_HELP,
        role: 'member',
        read: (words, now) => {
          const parsed = parseUsage(words, now);
          if (parsed.kind !== 'run') return parsed;
          return {
            kind: 'run',
            run: async (interaction) => {
              const wish = { request: parsed.request, withPeople: true, withButtons: true };
              const answer = await answerUsage(parts, wish, interaction);
              await interaction.reply.show(answer.message);
            },
          };
        },
      },
    ],
    actions: [
      { actionId: SHARE_ACTION, role: 'member', run: (click) => shareUsage(parts, click, false) },
      { actionId: SHARE_WITH_PEOPLE_ACTION, role: 'member', run: (click) => shareUsage(parts, click, true) },
    ],
    digestSections: [summarySection(parts)],
  };
}
