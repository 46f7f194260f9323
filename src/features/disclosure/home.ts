import { dayOf, plusDays } from '../../core/base/time/calendar.ts';
import { modalAction } from '../../core/slack/interactions/click-actions.ts';
import { sentenceView } from '../../core/slack/blocks/views.ts';
import type { ClickAction, HomeSection } from '../../core/slack/interactions/interactions.ts';
import { listDisclosures } from './disclosure-log.ts';
import type { Person } from '../../core/slack/people/people.ts';
import type { Services } from '../../core/services.ts';
import { NO_EMAIL } from '../../core/figures/measures/sentences.ts';
import { summarizeDisclosures, type ReaderLine } from './summary.ts';
import {
  ALL_DISCLOSURES_ACTION,
  DISCLOSURES_TITLE,
  disclosuresBlocks,
  disclosuresView,
  SHOWN_DAYS,
} from './disclosures-view.ts';

/** After one's own usage. */
const HOME_ORDER = 12;

/** "Who saw my figures": for every person who may have figures, about themselves alone. */
export function disclosuresHome(deps: Pick<Services, 'db' | 'clock'>): HomeSection {
  return {
    order: HOME_ORDER,
    role: 'member',
    read: async (person) =>
      person.email === undefined ? [] : disclosuresBlocks(await readLines(deps, person, person.email)),
  };
}

async function readLines(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { slackId }: Person,
  email: string,
): Promise<ReaderLine[]> {
  const since = plusDays(dayOf(clock.now()), 1 - SHOWN_DAYS);
  return summarizeDisclosures(await listDisclosures(db, email, since), slackId);
}

export const disclosuresAction = (deps: Pick<Services, 'db' | 'clock'>): ClickAction =>
  modalAction(ALL_DISCLOSURES_ACTION, 'member', DISCLOSURES_TITLE, async ({ person }, opened) =>
    opened.show(
      person.email === undefined
        ? sentenceView(DISCLOSURES_TITLE, NO_EMAIL)
        : disclosuresView(await readLines(deps, person, person.email)),
    ),
  );
