import { markup, own, readerTime, type Markup } from '../../core/base/text/markup.ts';
import type { Capability } from '../../core/platform/capabilities/capability.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Services } from '../../core/services.ts';
import { prose, type AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import { declareRefusalNotice, refusalWatch, type RefusalEvidence } from '../../core/watches/refusal-watch.ts';

const NAME = 'shown-limits';
const lostNotice = declareRefusalNotice(NAME);

export const capabilityJob = ({ capabilities }: Pick<Services, 'capabilities'>): Job => ({
  name: 'ask-platform-capabilities',
  cron: '0 * * * *',
  purpose: 'asks whether the platform shows limits and lists members; daily if it does not',
  run: () => capabilities.askIfDue(),
});

/** For `/quartermaster details`. */
export async function capabilityDetails({ capabilities }: Pick<Services, 'capabilities'>): Promise<AnyParagraph[]> {
  const [limits, roster] = await Promise.all([capabilities.limits(), capabilities.roster()]);
  const lines = [...(limits ? [limitsLine(limits)] : []), ...(roster ? [rosterLine(roster)] : [])];
  return lines.length === 0 ? [] : [prose(lines)];
}

/** For `/quartermaster` of admins: limits that should be read and are not. */
export async function capabilityFaults({ capabilities }: Pick<Services, 'capabilities'>): Promise<AnyParagraph[]> {
  const limits = await capabilities.limits();
  return limits && IS_FAULT[limits.state] ? [prose(limitsLine(limits))] : [];
}

const IS_FAULT: Readonly<Record<Capability['state'], boolean>> = {
  reads: false,
  none: false,
  lost: true,
  refused: true,
  failed: true,
};

function rosterLine({ state, since, askedAt, reason }: Capability): Markup {
  const why = reason === undefined ? markup`` : markup` (${reason})`;
  switch (state) {
    case 'reads':
      return markup`*Members:* the platform lists them, last read ${readerTime(askedAt)}`;
    case 'none':
      return markup`*Members:* this platform doesn’t list them${why}, asked ${readerTime(askedAt)}`;
    case 'lost':
    case 'failed':
      return markup`*Members:* not read since ${readerTime(since)}${why}`;
    case 'refused':
      return markup`*Members:* the platform refuses to list them since ${readerTime(since)}${why}`;
    default:
      return state satisfies never;
  }
}

function limitsLine({ state, since, askedAt, readAt, reason }: Capability): Markup {
  const why = reason === undefined ? markup`` : markup` (${reason})`;
  switch (state) {
    case 'reads':
      return markup`*Limits in force:* the platform shows them, last read ${readerTime(askedAt)}`;
    case 'none':
      return markup`*Limits in force:* this platform doesn’t show them${why}, asked ${readerTime(askedAt)}`;
    case 'lost':
      return markup`⚠️ *Limits in force:* the platform no longer shows them since ${readerTime(since)}${why}`;
    case 'refused':
      return markup`⚠️ *Limits in force:* the platform refuses to show them since ${readerTime(since)}${why}`;
    case 'failed':
      return markup`⚠️ *Limits in force:* not read since ${readerTime(since)}${why}${readAt ? markup`, last read ${readerTime(readAt)}` : markup``}`;
    default:
      return state satisfies never;
  }
}

/** Tells the admins once if the platform stops showing limits, and once if it shows them again. */
export const lostLimitsWatch = (
  deps: Pick<Services, 'db' | 'clock' | 'people' | 'capabilities'>,
): ReturnType<typeof refusalWatch> =>
  refusalWatch(deps, {
    topic: 'shown_limits',
    name: NAME,
    notice: lostNotice,
    job: {
      name: 'watch-shown-limits',
      cron: '* * * * *',
      purpose: 'informs admins if the platform stops showing limits',
    },
    evidence: async () => evidenceOf(await deps.capabilities.limits()),
    lines: ({ state, since, detail }) => {
      const at = readerTime(new Date(since));
      return state === 'refused'
        ? [
            markup`⚠️ *The platform no longer shows the limits in force, since ${at}.* ${own(detail ?? '')}`,
            markup`For a day, Quartermaster waits for them. After that, it knows only limits that it set or that an admin declared.`,
          ]
        : [markup`✅ *The platform shows the limits in force again*, since ${at}.`];
    },
  });

/** Pure. */
function evidenceOf(limits: Capability | undefined): RefusalEvidence {
  if (limits?.state === 'lost') return { refusedSince: limits.since, acceptedAt: undefined, detail: limits.reason };
  return { refusedSince: undefined, acceptedAt: limits?.state === 'reads' ? limits.readAt : undefined };
}
