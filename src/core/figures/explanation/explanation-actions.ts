import { CHECK_EVERY_MS, MAX_CHECKED_DAYS } from '../../analytics/check-days.ts';
import { todayOf } from '../../analytics/period.ts';
import type { Names } from '../../base/privacy/disclosure.ts';
import type { RequiredRole } from '../../base/roles.ts';
import type { Markup } from '../../base/text/markup.ts';
import { lengthOf, type Period } from '../../base/time/calendar.ts';
import type { Services } from '../../services.ts';
import { sentenceView, type OpenModal } from '../../slack/blocks/views.ts';
import type { Click, ClickAction } from '../../slack/interactions/interactions.ts';
import { modalActions } from '../../slack/interactions/click-actions.ts';
import { refusedCheck } from './check-limit.ts';
import { checkedResources, checkWords } from './check-words.ts';
import { EXPLANATION_TITLE, explanationModal } from './explanation-modal.ts';
import type { ExplainedPart } from './explanation.ts';
import { figureChanges, readExplanationMetadata, shownFigures } from './shown-figures.ts';

type View = Parameters<OpenModal['show']>[0];

export interface Explained {
  /** The title of the answer or message. */
  title: string;
  parts: readonly ExplainedPart[];
  /** *Check now* reads the days of these periods again. */
  periods: readonly Period[];
  /** Whether it reads rows of people, too. */
  withPeople: boolean;
  names: Names;
}

interface Explainer<Found extends Explained> {
  role: RequiredRole;
  explainAction: string;
  checkAction: string;
  /** Answers a click in a modal that can no longer be read. */
  goneSentence: string;
  /**
   * Reads the figures with the rights that the clicker has now, or the view that refuses them.
   * @param about the value of the button: the words of a command, or the key of a message
   * @param maxAgeMs days that may still change are read again if they are older
   */
  read: (about: string, click: Click, maxAgeMs?: number) => Promise<Found | { refusal: View }>;
  /** Corrects what was posted, after the days were read again. */
  correct?: (before: Found) => Promise<unknown>;
  /** Shown below figures that changed. */
  changeWords?: (before: Found, after: Found) => Markup;
}

const isCheckable = ({ periods }: Explained) => periods.every((one) => lengthOf(one) <= MAX_CHECKED_DAYS);
const TOO_LONG = `At most ${MAX_CHECKED_DAYS} days can be checked at once.`;

/** *How was this worked out?* and *Check now*: the clicker’s own rights, read at each click, decide what they show. */
export function explanationActions<Found extends Explained>(
  deps: Pick<Services, 'days' | 'checks' | 'clock' | 'db'>,
  { role, explainAction, checkAction, goneSentence, read, correct, changeWords }: Explainer<Found>,
): ClickAction[] {
  const show = async (opened: OpenModal, about: string, found: Explained, result: readonly Markup[] = []) => {
    const explanation = { ...found, about, result, checkAction: isCheckable(found) ? checkAction : undefined };
    await opened.show(await explanationModal(deps, explanation, todayOf(deps)));
  };
  const explain = async (_deps: unknown, click: Click, opened: OpenModal) => {
    const found = await read(click.value, click);
    await ('refusal' in found ? opened.show(found.refusal) : show(opened, click.value, found));
  };
  /** Reads the days again, past the store, and compares them with the figures that the modal shows. */
  const check = async (_deps: unknown, click: Click, opened: OpenModal) => {
    const shown = readExplanationMetadata(click.form.metadata);
    if (!shown) return opened.show(sentenceView(EXPLANATION_TITLE, goneSentence));
    const { about, figures } = shown;
    // Rights come first: a check by a user without them reads nothing.
    const before = await read(about, click, CHECK_EVERY_MS);
    if ('refusal' in before) return opened.show(before.refusal);
    const refusal = isCheckable(before) ? await refusedCheck(deps, click.person.slackId) : TOO_LONG;
    if (refusal !== undefined) return opened.show(sentenceView(EXPLANATION_TITLE, refusal));
    const times: Date[] = [];
    for (const period of before.periods) {
      const resources = checkedResources(before.parts, period);
      times.push(await deps.checks.readAgain({ period, resources, withPeople: before.withPeople }));
    }
    await correct?.(before);
    const after = await read(about, click, CHECK_EVERY_MS);
    if ('refusal' in after) return opened.show(after.refusal);
    const { parts, periods } = after;
    const readAt = times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? deps.clock.now();
    const changes = figureChanges(figures, shownFigures(parts));
    const words = checkWords({ changes, parts, periods, readAt }, todayOf(deps));
    const more = changes.length > 0 && changeWords ? [changeWords(before, after)] : [];
    await show(opened, about, after, [...words, ...more]);
  };
  return modalActions(deps, role, EXPLANATION_TITLE, { [explainAction]: explain, [checkAction]: check });
}
