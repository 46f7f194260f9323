import { modalAction } from '../../core/slack/interactions/click-actions.ts';
import { button, context, type Button } from '../../core/slack/blocks/blocks.ts';
import { multiSelectInput } from '../../core/slack/blocks/inputs.ts';
import { modal, sentenceView, type OpenModal } from '../../core/slack/blocks/views.ts';
import { formHandler, formReading } from '../../core/slack/interactions/forms.ts';
import type { ClickAction, Form, Interaction } from '../../core/slack/interactions/interactions.ts';
import { markup } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import type { Services } from '../../core/services.ts';
import { chooseGroups, readOfferedTeams } from '../../core/figures/groups/chosen-teams.ts';

export type TeamDeps = Pick<Services, 'db' | 'clock' | 'people'>;

const CHOOSE_ACTION = 'usage_choose_teams';
const TEAMS_FORM = 'usage_teams_form';
const TITLE = 'Teams';
/** Slack’s limit for options. */
const MAX_TEAMS = 100;

export const chooseTeamsButton = (): Button => button({ text: 'Choose teams', actionId: CHOOSE_ACTION });

export const chooseTeamsAction = (deps: TeamDeps): ClickAction =>
  modalAction(CHOOSE_ACTION, 'admin', TITLE, (_click, opened) => showForm(deps, opened));

async function showForm(deps: TeamDeps, opened: OpenModal): Promise<void> {
  const groups = await readOfferedTeams(deps);
  if (groups.length === 0)
    return opened.show(sentenceView(TITLE, 'Slack shows no user groups. Create some in Slack, then choose them here.'));
  const hiddenCount = groups.length - MAX_TEAMS;
  await opened.show(
    modal({
      title: TITLE,
      submit: 'Save',
      callbackId: TEAMS_FORM,
      blocks: [
        multiSelectInput({
          id: 'teams',
          label: 'Which user groups are teams?',
          hint: 'People in several of them count in each.',
          isOptional: true,
          options: groups.map(({ id, handle, members }) => ({
            value: id,
            text: `@${handle} (${countOf(members.length, 'person', 'people')})`,
          })),
          initial: groups.filter(({ isChosen }) => isChosen).map(({ id }) => id),
        }),
        ...(hiddenCount > 0
          ? [context(markup`Slack offers ${MAX_TEAMS} groups here; ${hiddenCount} more are not shown.`)]
          : []),
      ],
    }),
  );
}

export const teamsForm = (deps: TeamDeps): Form =>
  formHandler(TEAMS_FORM, 'admin', (state) =>
    formReading({}, 'Saving …', (by, opened) => save(deps, state.options('teams').slice(0, MAX_TEAMS), by, opened)),
  );

/** Keeps only groups that Slack knows, because a submission can be forged. */
async function save(deps: TeamDeps, chosenIds: string[], { person }: Interaction, opened: OpenModal): Promise<void> {
  const groups = await deps.people.teams();
  const groupIds = groups.filter(({ id }) => chosenIds.includes(id)).map(({ id }) => id);
  await chooseGroups(deps.db, groupIds, person.slackId, deps.clock.now());
  const what = groupIds.length === 0 ? 'No teams are shown now.' : `${countOf(groupIds.length, 'team')} chosen.`;
  await opened.show(sentenceView(TITLE, `✅ ${what} Type /usage teams to see them.`));
}
