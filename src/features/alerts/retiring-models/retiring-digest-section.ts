import { todayOf } from '../../../core/analytics/period.ts';
import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import type { DigestSection } from '../../../core/feature.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { retiresWords } from './retiring-messages.ts';
import { listRetiring } from './retiring-store.ts';
import { hasStepAfter } from './steps.ts';
import { readModelsLately, stillUsing } from './users-of-models.ts';

/** In every digest, on the days on which people are told: how many of its people still use a model that retires. */
export function retiringSection(deps: AlertDeps): DigestSection {
  return {
    id: 'retiring-models',
    title: 'Models that retire',
    description: 'How many people still use them',
    isDefault: false,
    isAlways: true,
    namesPeople: false,
    coversAudienceOnly: true,
    read: async ({ period, people, rightToName }) => {
      const rows = (await listRetiring(deps.db)).filter(({ retiresOn }) => hasStepAfter(retiresOn, period));
      if (rows.length === 0) return { kind: 'ready', blocks: [], text: markup``, figures: {}, isQuiet: true };
      const reading = await readModelsLately(deps);
      const members = people && new Set(people);
      const countUsers = (model: string) =>
        reading.kind === 'unreadable'
          ? undefined
          : stillUsing(reading.people, model).filter(
              ({ emails }) => !members || emails.some((email) => members.has(email)),
            ).length;
      const least = rightToName ? 1 : deps.config.minGroup;
      const lines = rows.map((row) => lineOf(retiresWords(row, todayOf(deps)), countUsers(row.model), least));
      const text = joinMarkup(lines, '\n');
      return { kind: 'ready', blocks: [section(text)], text, figures: {}, isQuiet: false, needsAttention: true };
    },
  };
}

/** @param least fewer people are not counted: the number would tell of single ones */
function lineOf(what: Markup, count: number | undefined, least: number): Markup {
  return markup`⏳ ${what} ${usersWords(count, least)}`;
}

function usersWords(count: number | undefined, least: number): string {
  if (count === undefined) return 'Who still uses it could not be read.';
  if (count >= least && count > 0) return `It is still the main model of ${countOf(count, 'person', 'people')}.`;
  return least <= 1 ? 'Nobody has it as their main model.' : `It is the main model of fewer than ${least} people.`;
}
