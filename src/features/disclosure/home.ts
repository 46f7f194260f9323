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
  type Permitted,
  SHOWN_DAYS,
} from './disclosures-view.ts';

type HomeDeps = Pick<Services, 'db' | 'clock' | 'people' | 'config'>;

/** After one's own usage. */
const HOME_ORDER = 12;

/** "Who saw my figures": for every person who may have figures, about themselves alone. */
export function disclosuresHome(deps: HomeDeps): HomeSection {
  return {
    order: HOME_ORDER,
    role: 'member',
    read: async (person, log) => {
      if (person.email === undefined) return [];
      const [lines, permitted] = await Promise.all([
        readLines(deps, person, person.email),
        readPermitted(deps, person).catch((error: unknown) => {
          log.warn({ err: error }, 'Reading who may see figures failed');
          return undefined;
        }),
      ]);
      return disclosuresBlocks(lines, permitted);
    },
  };
}

async function readPermitted({ people, config }: HomeDeps, { slackId }: Person): Promise<Permitted> {
  const role = config.peopleRole;
  const holders = await Promise.all([people.admins(), ...(role === 'admin' ? [] : [people.managers()])]);
  return { role, others: new Set(holders.flat().filter((id) => id !== slackId)).size };
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
