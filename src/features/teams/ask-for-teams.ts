import { z } from 'zod';
import { dayOf } from '../../core/base/time/calendar.ts';
import { markup, mention } from '../../core/base/text/markup.ts';
import { namesNobody } from '../../core/outbox/poster.ts';
import { declareOwnerNotice } from '../../core/outbox/owner-notices.ts';
import { changeAction } from '../../core/slack/interactions/click-actions.ts';
import { button, type Button } from '../../core/slack/blocks/blocks.ts';
import { plainMessage } from '../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../../core/slack/interactions/interactions.ts';
import { chooseTeamsButton, type TeamDeps } from './team-form.ts';
import { chosenGroups } from '../../core/figures/groups/chosen-teams.ts';

const ACTION = 'usage_ask_for_teams';
const teamsNotice = declareOwnerNotice('usage-teams', z.object({ by: z.string().max(40) }));

export const askForTeamsButton = (): Button => button({ text: 'Ask an admin to choose teams', actionId: ACTION });

export const askForTeamsAction = (deps: TeamDeps): ClickAction =>
  changeAction(ACTION, 'manager', (click) => askForTeams(deps, click));

/** Notifies the admins, at most once a day for each manager. */
async function askForTeams({ db, clock }: TeamDeps, { person, reply }: Click): Promise<void> {
  if ((await chosenGroups(db)).length > 0)
    return reply.add(plainMessage('An admin has chosen teams in the meantime: type /usage teams.'));
  const now = clock.now();
  const key = `usage-teams:${person.slackId}:${dayOf(now)}`;
  await db.transaction().execute((trx) => teamsNotice.notify(trx, null, { key, payload: { by: person.slackId } }, now));
  await reply.add(plainMessage('✅ The admins get a message with the form.'));
}

export const askForTeamsMessages = (deps: TeamDeps) =>
  teamsNotice.handledBy(deps, ({ payload: { by } }) => {
    const line = markup`${mention(by)} asks you to choose the user groups that \`/usage teams\` shows.`;
    return Promise.resolve({
      kind: 'send',
      message: namesNobody(messageOf(prose(line), buttonRow(chooseTeamsButton()))),
    });
  });
