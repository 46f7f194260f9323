import { dayOf, plusDays } from '../base/time/calendar.ts';
import { sentenceView } from '../slack/blocks/views.ts';
import type { ClickAction, HomeSection } from '../slack/interactions.ts';
import { listLooks } from './disclosure-log.ts';
import type { Person } from '../slack/people/people.ts';
import type { Services } from '../services.ts';
import { NO_EMAIL } from '../figures/sentences.ts';
import { summarizeLooks, type LookLine } from './summary.ts';
import { ALL_LOOKS_ACTION, LOOKS_TITLE, looksBlocks, looksView, SHOWN_DAYS } from './disclosures-view.ts';

type LookDeps = Pick<Services, 'db' | 'clock'>;

/** After one's own usage. */
const HOME_ORDER = 12;

/** "Who saw my figures" in App Home: for every person who may have figures, about themselves alone. */
export function looksHome(deps: LookDeps): HomeSection {
  return {
    order: HOME_ORDER,
    role: 'member',
    read: async (person) =>
      person.email === undefined ? [] : looksBlocks(await readLines(deps, person, person.email)),
  };
}

async function readLines({ db, clock }: LookDeps, { slackId }: Person, email: string): Promise<LookLine[]> {
  const since = plusDays(dayOf(clock.now()), 1 - SHOWN_DAYS);
  return summarizeLooks(await listLooks(db, email, since), slackId);
}

export function looksAction(deps: LookDeps): ClickAction {
  return {
    actionId: ALL_LOOKS_ACTION,
    role: 'member',
    modalTitle: LOOKS_TITLE,
    runInModal: async ({ person }, opened) =>
      opened.show(
        person.email === undefined
          ? sentenceView(LOOKS_TITLE, NO_EMAIL)
          : looksView(await readLines(deps, person, person.email)),
      ),
  };
}
