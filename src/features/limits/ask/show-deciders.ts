import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { context } from '../../../core/slack/blocks/blocks.ts';
import { sentenceView, type ModalView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { decidersLine } from '../core/person-text.ts';
import type { Actor, NamedPerson } from '../core/access.ts';
import { decidersOf, readAdmins, whyUndecidable } from '../rights/deciders.ts';

/** A form without the names of the admins is better than a late one; the submission is checked anyway. */
const PATIENCE_MS = 1_000;

const late = () => undefined;

/** Shows a form with the admins who could decide the request, or instead of it why no admin could. */
export async function showWithDeciders(
  deps: LimitDeps,
  view: ModalView,
  { person, people }: { person: Person; people: readonly NamedPerson[] },
  opened: OpenModal,
): Promise<void> {
  const admins = await readAdminsInTime(deps);
  if (!admins) return opened.show(view);
  const request = { requester: person, people };
  const problem = whyUndecidable(admins, request, deps.config.fourEyes);
  if (problem !== undefined) return opened.show(sentenceView(view.title.text, problem));
  const line = lineOf(decidersOf(admins, request), person);
  await opened.show({ ...view, blocks: [context(line), ...view.blocks] });
}

function lineOf(deciders: readonly Actor[], person: Person): Markup {
  const isAlone = deciders.every(({ slackId }) => slackId === person.slackId);
  return isAlone
    ? markup`You are the only admin, so you decide this alone, after a confirmation. It can’t include you.`
    : decidersLine(deciders);
}

async function readAdminsInTime(deps: LimitDeps): Promise<Actor[] | undefined> {
  const waiting = new AbortController();
  const reading = readAdmins(deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'Reading the admins failed, so a form names none');
    return undefined;
  });
  const admins = await Promise.race([reading, deps.clock.sleep(PATIENCE_MS, waiting.signal).then(late, late)]);
  waiting.abort();
  return admins;
}
