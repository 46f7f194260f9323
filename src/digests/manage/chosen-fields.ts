import { smallTeamWords } from '../../figures/groups/small-teams.ts';
import type { Click } from '../../slack/interactions.ts';
import { showsMore } from '../../slack/form-fields.ts';
import type { OpenModal } from '../../slack/blocks/views.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { readFacts } from './create.ts';
import { placeOfEdited } from './edit.ts';
import { formView, readForm, withHiddenFields } from './digest-form.ts';

/** Shows the form again with the fields that a choice needs, and a warning if the chosen group is small. */
export async function showChosenFields(deps: DigestDeps, click: Click, opened: OpenModal): Promise<void> {
  const { state, metadata } = click.form;
  const edited = metadata === '' ? undefined : await placeOfEdited(deps, metadata, click.person);
  const facts = await readFacts(deps, click);
  const digest = withHiddenFields(facts, readForm(state, edited ? 'edit' : 'new').digest);
  const team = facts.teams.find(({ id }) => id === digest.audience);
  const aboutTeam =
    team && (await smallTeamWords(deps, { label: `@${team.handle}`, emails: team.emails }, click.person));
  const isLong = showsMore(click, 'zone');
  await opened.show(formView({ ...facts, aboutTeam, isLong }, digest, undefined, edited));
}
