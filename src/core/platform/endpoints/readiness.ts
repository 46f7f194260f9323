import { z } from 'zod';
import { label, longText } from '../bounded-text.ts';
import { checkArgument, describeIssues, opaqueText } from '../arguments.ts';
import { isPlatformError, PlatformError, type PlatformErrorCode } from '../errors.ts';
import { eachItem } from './cursor-pages.ts';
import { createPlaceMemory, type PlaceMemory, READINESS_PLACES, type ReadinessPlace } from './readiness-place.ts';
import type { CallOptions, Send } from '../transport/request.ts';

/** `null`: the criterion was skipped, because it does not apply. */
const criterion = z
  .looseObject({
    /** Sub-applications that pass. */
    numerator: z.number().min(0).nullable(),
    /** Sub-applications that were evaluated (API document: minimum 1). */
    denominator: z.number().nullish(),
    rationale: longText.nullish().transform((text) => text ?? ''),
  })
  .refine(({ numerator, denominator }) => numerator === null || (denominator ?? 0) >= 1, 'a denominator of at least 1')
  .transform(({ numerator, denominator, rationale }) => ({ numerator, denominator: denominator ?? 1, rationale }));

const reportId = z.string().min(1).max(500);

const readinessReport = z.looseObject({
  reportId,
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
  /** Its name in the documentation of today. */
  droidVersion: label.nullish(),
});
export type ReadinessReport = z.infer<typeof readinessReport>;

/** Nothing of its content is known. */
export interface UnreadableReport {
  /** Undefined if even its id cannot be read. */
  reportId: string | undefined;
  /** Places and rules, no values. */
  problem: string;
}

/** One unreadable report does not cost the others of its page. */
const tolerantReport = z.unknown().transform((value): ReadinessReport | UnreadableReport => {
  const read = readinessReport.safeParse(value);
  if (read.success) return read.data;
  const id = z.looseObject({ reportId }).safeParse(value);
  return { reportId: id.data?.reportId, problem: describeIssues(read.error, 'report') };
});

const reportsPage = z
  .looseObject({ reports: z.array(tolerantReport) })
  // The next page is found by an id of this one.
  .refine(
    ({ reports }) => reports.length === 0 || reports.some((one) => one.reportId !== undefined),
    'no report has an id',
  )
  .transform(({ reports }) => ({
    reports: reports.filter((one): one is ReadinessReport => !isUnreadable(one)),
    unreadable: reports.filter((one) => isUnreadable(one)),
    /** The id to continue after; undefined if the page is empty. */
    lastId: reports.findLast((one) => one.reportId !== undefined)?.reportId,
  }));
export type ReadinessReportsPage = z.infer<typeof reportsPage>;

const isUnreadable = (one: ReadinessReport | UnreadableReport): one is UnreadableReport =>
  'problem' in one && !('report' in one);

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
  /**
   * Each report once.
   *
   * @param onUnreadable called with each report that cannot be read; if none can be read, the listing fails instead
   */
  eachReport(
    query?: Omit<ReportsQuery, 'startAfter'>,
    options?: CallOptions & { onUnreadable?: (report: UnreadableReport) => void },
  ): AsyncGenerator<ReadinessReport, void, undefined>;
}

/** @param memory of the place where the platform has the reports */
export function createReadiness(send: Send, memory: PlaceMemory = createPlaceMemory()): Readiness {
  const reports = async (query: ReportsQuery = {}, options?: CallOptions) => {
    const checked = checkArgument('GET', READINESS_PLACES[0], 'query', reportsQuery, query);
    const readAt = (path: ReadinessPlace, isTrial: boolean) =>
      send({ method: 'GET', host: 'app', path, query: checked, schema: reportsPage, isTrial }, options);
    // An unknown repository may be 404 too, so such an answer says nothing about the place.
    const isOfAll = query.repoId === undefined && query.startAfter === undefined;
    return readWhereItIs(memory, readAt, isOfAll);
  };
  return {
    reports,
    eachReport: async function* eachReport({ repoId, limit } = {}, { onUnreadable, ...options } = {}) {
      let unreadable: UnreadableReport | undefined;
      let count = 0;
      let withoutId = 0;
      const listing = eachItem<ReadinessReportsPage, ReadinessReport | UnreadableReport>({
        path: READINESS_PLACES[0],
        load: (startAfter) => reports({ repoId, limit, startAfter }, options),
        items: (page) => [...page.reports, ...page.unreadable],
        next: ({ lastId }) => (lastId === undefined ? { more: false } : { more: true, cursor: lastId }),
        key: (report) => report.reportId ?? `without an id ${(withoutId += 1)}`,
        cursorsAreKeys: true,
      });
      for await (const report of listing) {
        if (isUnreadable(report)) {
          unreadable ??= report;
          onUnreadable?.(report);
        } else {
          count += 1;
          yield report;
        }
      }
      // "No reports" would be wrong if there are some.
      if (unreadable && count === 0)
        throw new PlatformError({
          code: 'wrong_shape',
          method: 'GET',
          path: READINESS_PLACES[0],
          detail: unreadable.problem,
        });
    },
  };
}

/** Answers of an address that has no such operation; a page of HTML most often comes from a web application. */
const isGone = (error: unknown): error is PlatformError =>
  isPlatformError(error) &&
  (error.code === 'not_found' || error.code === 'not_json' || error.status === 405 || error.status === 410);

/** After these, the other place would answer no better. */
const SAYS_NOTHING: ReadonlySet<PlatformErrorCode> = new Set([
  'rate_limited',
  'server_error',
  'timeout',
  'network',
  'cut_body',
  'overloaded',
  'cancelled',
  'invalid_argument',
]);

/**
 * Reads from the remembered place, and from the other one if the platform no longer has the first. Before any place is
 * known, any definite refusal leads to the other one: what a platform says about an unknown address is not documented.
 */
async function readWhereItIs<Answer>(
  memory: PlaceMemory,
  readAt: (place: ReadinessPlace, isTrial: boolean) => Promise<Answer>,
  isOfAll: boolean,
): Promise<Answer> {
  const known = await memory.read();
  const first = known ?? READINESS_PLACES[0];
  const second = READINESS_PLACES.find((place) => place !== first) ?? first;
  let refusal: PlatformError;
  try {
    const answer = await readAt(first, known === undefined);
    if (known === undefined) await memory.remember(first);
    return answer;
  } catch (error) {
    const isWorthATry = known === undefined ? isPlatformError(error) && !SAYS_NOTHING.has(error.code) : isGone(error);
    if (!isWorthATry || !isPlatformError(error)) throw error;
    refusal = error;
  }
  try {
    const answer = await readAt(second, known !== undefined);
    await memory.remember(second);
    return answer;
  } catch (error) {
    if (!isGone(error)) throw known === undefined ? error : refusal;
    if (!isGone(refusal) || !isOfAll) throw refusal;
    const { method, path, detail, status, requestId } = refusal;
    throw new PlatformError({ code: 'moved_away', method, path, detail, status, requestId });
  }
}
