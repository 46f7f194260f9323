import { smallTeamWords } from '../../figures/groups/small-teams.ts';
import type { Click } from '../../slack/interactions.ts';
import type { OpenModal } from '../../slack/blocks/views.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { readFacts } from './create.ts';
import { placeOfEdited } from './edit.ts';
import { formView, readForm } from './digest-form.ts';

/** Shows the form again after a change of “Whose figures?”, with a warning if the chosen group is small. */
export async function showChosenAudience(deps: DigestDeps, click: Click, opened: OpenModal): Promise<void> {
  const { state, metadata } = click.form;
  const edited = metadata === '' ? undefined : await placeOfEdited(deps, metadata, click.person);
  const { digest } = readForm(state, edited ? 'edit' : 'new');
  const facts = await readFacts(deps, click);
  const team = facts.teams.find(({ id }) => id === digest.audience);
  const aboutTeam =
    team && (await smallTeamWords(deps, { label: `@${team.handle}`, emails: team.emails }, click.person));
  await opened.show(formView({ ...facts, aboutTeam }, digest, undefined, edited));
}
