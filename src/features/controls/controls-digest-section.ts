import type { DigestSection, DigestQuery, ReadSection } from '../../core/feature.ts';
import { allowEverybodysAmounts } from '../../core/figures/groups/admission.ts';
import { section } from '../../core/slack/blocks/blocks.ts';
import { longProse, contentsOf } from '../../core/slack/blocks/paragraphs.ts';
import { withRest, markup, own, type Markup as Line } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { shortLine, revisionSummary } from './notices/lines.ts';
import { readRevisionChanges, type RevisionChanges } from './notices/revision-changes.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { outlinesIn } from './core/revisions.ts';

const MAX_REVISIONS = 8;
const TOP_CHANGES = 2;

export function controlsSection(deps: Pick<ControlsDeps, 'db' | 'erased'>): DigestSection {
  return {
    id: 'controls',
    title: 'Enterprise control changes',
    description: 'Which settings changed, and what got weaker',
    namesPeople: false,
    isDefault: false,
    coversAudienceOnly: false,
    read: async ({ period }: DigestQuery): Promise<ReadSection> => {
      const rows = await outlinesIn(deps.db, period);
      const allRevisionChanges = await Promise.all(
        rows.slice(-MAX_REVISIONS).map(({ revision }) => readRevisionChanges(deps, revision)),
      );
      return sectionOf(
        allRevisionChanges.filter((revisionChanges) => revisionChanges !== undefined),
        rows.length,
        rows.reduce((sum, { weaker }) => sum + (weaker ?? 0), 0),
      );
    },
  };
}

function sectionOf(allRevisionChanges: readonly RevisionChanges[], count: number, weaker: number): ReadSection {
  const { amount } = allowEverybodysAmounts();
  const figures = { Revisions: amount(count), 'Weaker settings': amount(weaker) };
  if (count === 0) {
    const text = markup`No changes to the enterprise controls.`;
    return { kind: 'ready', blocks: [section(text)], text, figures, isQuiet: true, unchanged: 'enterprise controls' };
  }
  const hiddenCount = count - allRevisionChanges.length;
  const lines: Line[] = [
    ...(hiddenCount > 0 ? [markup`_${countOf(hiddenCount, 'earlier revision')}: \`/controls history\`_`] : []),
    ...allRevisionChanges.flatMap((revisionChanges) => revisionLines(revisionChanges)),
  ];
  const contents = contentsOf([longProse(lines)]);
  return { kind: 'ready', ...contents, figures, isQuiet: false, needsAttention: weaker > 0 };
}

function revisionLines(revisionChanges: RevisionChanges): Line[] {
  const { row, changes } = revisionChanges;
  const lines = changes.map((one) => shortLine(one));
  const diff = `/controls diff ${row.previous ?? row.revision} ${row.revision}`;
  return [
    markup`*Revision ${row.revision}*: ${revisionSummary(revisionChanges)}`,
    ...withRest(
      lines,
      TOP_CHANGES,
      (remaining) => markup`_and ${countOf(remaining, 'more change')}: \`${own(diff)}\`_`,
    ),
  ];
}
