import type { DigestQuery } from '../../feature.ts';
import { content, DIGEST_OPTIONS, rangeOf, reportScope, type SectionContent } from './content.ts';
import type { UsageDeps } from '../deps.ts';
import { withQuietDays } from '../readers/period.ts';
import { buildActivityReport } from '../reports/activity-report.ts';
import { activityView } from '../views/activity-view.ts';
import { shareLines } from '../measures/breakdown.ts';
import { buildCreditsReport } from '../views/credits-report.ts';
import { creditsView } from '../views/credits-view.ts';
import { list } from '../../slack/blocks/paragraphs.ts';
import { figures } from '../views/paragraphs.ts';
import { buildProductivityReport } from '../views/productivity-report.ts';
import { productivityView } from '../views/productivity-view.ts';
import { buildToolsReport } from '../reports/tools-report.ts';
import { toolsView } from '../views/tools-view.ts';

const MAX_NAMED = 3;
const NO_NOTES = { notes: [], faults: [] };

export async function readCreditsSection(deps: UsageDeps, digest: DigestQuery): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  const [credits, activity] = await Promise.all([
    deps.days.credits(rangeOf(scope), DIGEST_OPTIONS),
    deps.days.activity(rangeOf(scope), DIGEST_OPTIONS),
  ]);
  const report = buildCreditsReport({ credits: withQuietDays(credits, activity), activity }, scope);
  return content({
    source: report.source,
    faults: report.faults,
    paragraphs: [
      list('Credits by model', shareLines(report.models, MAX_NAMED, 'other model')),
      figures([
        ['Input tokens', report.input],
        ['Output tokens', report.output],
        ['Cache reads', report.cacheRead],
      ]),
    ],
    detail: creditsView(report, NO_NOTES),
    figures: { 'Standard Credits': report.credits, 'Input tokens': report.input, 'Output tokens': report.output },
  });
}

export async function readToolsSection(deps: UsageDeps, digest: DigestQuery): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  const [tools, activity] = await Promise.all([
    deps.days.tools(rangeOf(scope), DIGEST_OPTIONS),
    deps.days.activity(rangeOf(scope), DIGEST_OPTIONS),
  ]);
  const report = buildToolsReport({ tools, activity }, scope);
  return content({
    source: report.source,
    faults: report.faults,
    paragraphs: [
      figures([
        ['Tool calls', report.calls],
        ['Skills', report.skillUses],
        ['Slash commands', report.commandUses],
        ['Hooks', report.hookRuns],
      ]),
      list('Top tools', shareLines(report.tools, MAX_NAMED, 'other tool')),
    ],
    detail: toolsView(report, NO_NOTES),
    figures: { 'Tool calls': report.calls },
  });
}

export async function readActivitySection(deps: UsageDeps, digest: DigestQuery): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  const activity = await deps.days.activity(rangeOf(scope), DIGEST_OPTIONS);
  const report = buildActivityReport({ activity }, scope);
  return content({
    source: report.source,
    faults: report.faults,
    paragraphs: [
      figures([
        ['Sessions', report.sessions],
        ['Messages', report.messages],
      ]),
    ],
    detail: activityView(report, NO_NOTES),
    figures: { Sessions: report.sessions, Messages: report.messages },
  });
}

export async function readProductivitySection(deps: UsageDeps, digest: DigestQuery): Promise<SectionContent> {
  const scope = reportScope(deps, digest);
  const [productivity, credits] = await Promise.all([
    deps.days.productivity(rangeOf(scope), DIGEST_OPTIONS),
    deps.days.credits(rangeOf(scope), DIGEST_OPTIONS),
  ]);
  const report = buildProductivityReport({ productivity, credits }, scope);
  return content({
    source: report.source,
    faults: report.faults,
    paragraphs: [
      figures([
        ['Commits', report.commits],
        ['Pull requests', report.pullRequests],
        ['Files created', report.filesCreated],
        ['Files edited', report.filesEdited],
      ]),
      list('Top languages', shareLines(report.languages, MAX_NAMED, 'other language')),
    ],
    detail: productivityView(report, NO_NOTES),
    figures: { Commits: report.commits, 'Pull requests': report.pullRequests },
  });
}
