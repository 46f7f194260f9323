import { z } from 'zod';
import { label, longText } from '../bounded-text.ts';
import { checkArgument, opaqueText } from '../arguments.ts';
import { eachItem } from './cursor-pages.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/organization/maturity-level-reports';

const criterion = z.looseObject({
  /** Sub-applications that pass. */
  numerator: z.number().min(0),
  /** Sub-applications that were evaluated (API document: minimum 1). */
  denominator: z.number().min(1),
  rationale: longText.nullish().transform((text) => text ?? ''),
});

const readinessReport = z.looseObject({
  reportId: z.string().min(1).max(500),
  /** Unix time in milliseconds. */
  createdAt: z.number(),
  repoUrl: longText,
  apps: z.record(label, z.looseObject({ description: longText.nullish() })),
  /** By criterion id; the document does not list the ids. */
  report: z.record(label, criterion),
  commitHash: label.nullish(),
  branch: label.nullish(),
  hasLocalChanges: z.boolean().nullish(),
  hasNonRemoteCommits: z.boolean().nullish(),
  modelUsed: z.looseObject({ id: label.nullish(), reasoningEffort: label.nullish() }).nullish(),
  agentVersion: label.nullish(),
});
export type ReadinessReport = z.infer<typeof readinessReport>;

const reportsPage = z.looseObject({ reports: z.array(readinessReport) });
export type ReadinessReportsPage = z.infer<typeof reportsPage>;

const reportsQuery = z.object({
  repoId: opaqueText.optional(),
  /** The document shows no upper bound, so leave it out unless you need few. */
  limit: z.int().positive().optional(),
  /** A report id: only reports after it, in an order that the document does not show. */
  startAfter: opaqueText.optional(),
});
export type ReportsQuery = z.infer<typeof reportsQuery>;

/** Every method throws PlatformError. */
export interface Readiness {
  /** There is no "has more": a page without reports is the end. */
  reports(query?: ReportsQuery, options?: CallOptions): Promise<ReadinessReportsPage>;
  /** Each report once. */
  eachReport(
    query?: Omit<ReportsQuery, 'startAfter'>,
    options?: CallOptions,
  ): AsyncGenerator<ReadinessReport, void, undefined>;
}

export function createReadiness(send: Send): Readiness {
  const reports = async (query: ReportsQuery = {}, options?: CallOptions) => {
    const checked = checkArgument('GET', PATH, 'query', reportsQuery, query);
    return send({ method: 'GET', host: 'app', path: PATH, query: checked, schema: reportsPage }, options);
  };
  return {
    reports,
    eachReport: ({ repoId, limit } = {}, options) =>
      eachItem({
        path: PATH,
        load: (startAfter) => reports({ repoId, limit, startAfter }, options),
        items: (page) => page.reports,
        next: (page) => {
          const last = page.reports.at(-1);
          return last ? { more: true, cursor: last.reportId } : { more: false };
        },
        key: (report) => report.reportId,
        cursorsAreKeys: true,
      }),
  };
}
