import type { Logger } from '../../core/base/log.ts';
import type { Knowledge, OwnLimitLine } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import type { Button } from '../../core/slack/blocks/blocks.ts';
import { readContacts } from '../../core/slack/people/contacts.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { explainButton } from '../../core/figures/explanation/explanation-modal.ts';
import { EXPLAIN_ACTION, explainLimit, OWN_LIMIT } from './explain-limit.ts';
import { decideLimitCourse, type LimitCourse } from './own-limit.ts';
import { limitLine } from './own-limit-words.ts';
import type { OwnMonth, ReadOwn } from './own-report.ts';

const LINE_OPTIONS = { maxAgeMs: 10 * 60_000 };

export interface OwnLineDeps extends Pick<Services, 'clock' | 'people'>, Pick<Knowledge, 'limits'> {
  readOwn: ReadOwn;
  /** The button of the form for personal warnings. */
  readWarnButton: (person: Pick<Person, 'slackId'>, isCounted: boolean) => Promise<Button>;
}

/** Adds the buttons that help if the limit is near, and names the admins if something is unknown. */
export async function ownLimitLine(
  deps: OwnLineDeps,
  { limit, used, period, today }: OwnMonth,
  { slackId }: Person,
  log: Logger,
): Promise<OwnLimitLine> {
  const course = decideLimitCourse(limit);
  const isCounted = course.kind === 'counted';
  const isUnknown = course.kind === 'no_limit' || course.kind === 'no_period';
  const [warnButton, admins] = await Promise.all([
    deps.readWarnButton({ slackId }, isCounted),
    isUnknown ? readContacts({ clock: deps.clock, log }, () => deps.people.admins()) : [],
  ]);
  const requestMore = deps.limits.requestMoreButtons(used.value, period);
  const line = limitLine(course, { slackId, admins, today });
  const explanation = explainLimit(limit, today);
  const actionButtons = [...requestMore, warnButton];
  return {
    line,
    buttons: explanation.length === 0 ? actionButtons : [...actionButtons, explainButton(EXPLAIN_ACTION, OWN_LIMIT)],
    actionButtons,
    state: stateOf(course),
    explanation,
  };
}

function stateOf(course: LimitCourse): OwnLimitLine['state'] {
  if (course.kind !== 'counted') return 'unknown';
  return course.outlook.kind === 'lasts' || course.outlook.kind === 'open' ? 'lasts' : 'short';
}

export async function readOwnLimitLine(
  deps: OwnLineDeps,
  person: Person,
  log: Logger,
): Promise<OwnLimitLine | undefined> {
  if (person.email === undefined) return undefined;
  const reading = await deps.readOwn(person.email, LINE_OPTIONS);
  if (reading.kind === 'read') return ownLimitLine(deps, reading.report, person, log);
  return reading.kind === 'begun' ? ownLimitLine(deps, reading.month, person, log) : undefined;
}
