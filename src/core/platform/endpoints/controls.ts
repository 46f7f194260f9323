import { z } from 'zod';
import { checkArgument, describeIssues, opaqueText, pageSize } from '../arguments.ts';
import { label } from '../bounded-text.ts';
import { createJsonReader } from '../transport/body-reader.ts';
import { eachItem } from './cursor-pages.ts';
import { nextByCursor, pagination } from './pagination.ts';
import { isJsonObject, type JsonObject } from '../redaction/json.ts';
import type { Redact, RedactedSettings } from '../redaction/redact.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const PATH = '/api/v0/organization/enterprise-controls/history';
const LARGEST_PAGE = 100;

/** One bad value costs that value: an author or a time that cannot be read is unknown. */
const tolerantLabel = label.nullish().catch(null);
const revision = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/**
 * The platform's settings contain secrets: only this parser sees them, and its output is redacted. Members that the
 * document does not name are dropped, since their content is unknown.
 */
const changeSchema = (redact: Redact) =>
  z
    .object({
      revision,
      settings: z
        .custom<Record<string, unknown>>(isJsonObject, 'is not an object')
        .transform((settings) => redact(settings)),
      user: z
        .object({ id: tolerantLabel, email: tolerantLabel, name: tolerantLabel })
        .nullish()
        .catch(null)
        .transform((user) => user ?? null),
      /** ISO 8601 date-time; undefined if it cannot be read. */
      updatedAt: z.string().max(100).optional().catch(undefined),
    })
    .transform((change) => ({ ...change, redaction: redact.id }));
export type EnterpriseControlChange = z.infer<ReturnType<typeof changeSchema>>;

/** A change whose settings cannot be read. Nothing of its content is known, so nothing of it is shown. */
export interface UnreadableChange {
  /** Undefined if even its number cannot be read. */
  unreadable: number | undefined;
  /** Places and rules, no values. */
  problem: string;
}

/** One unreadable change does not cost the others of its page. */
function tolerant(change: ReturnType<typeof changeSchema>) {
  const numbered = z.object({ revision });
  return z.unknown().transform((value): EnterpriseControlChange | UnreadableChange => {
    const read = change.safeParse(value);
    if (read.success) return read.data;
    return { unreadable: numbered.safeParse(value).data?.revision, problem: describeIssues(read.error, 'change') };
  });
}

/** The changes are checked and redacted one by one as they arrive. */
const pageSchema = z
  .object({ changes: z.array(z.custom<EnterpriseControlChange | UnreadableChange>()), pagination })
  .transform(({ changes, pagination: page }) => ({
    changes: changes.filter((one) => 'revision' in one),
    unreadable: changes.filter((one) => 'unreadable' in one),
    pagination: page,
  }));
export type HistoryPage = z.infer<typeof pageSchema>;

/** Each change is kept whole. The largest page seen is a fifth of this. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const historyQuery = z.object({
  /** 1-100. */
  limit: pageSize.optional(),
  /** `pagination.nextCursor` of the page before. */
  cursor: opaqueText.optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** Every method throws PlatformError. */
export interface Controls {
  /** Newest revision first. */
  history(query?: HistoryQuery, options?: CallOptions): Promise<HistoryPage>;
  /** Newest first; stop iterating to stop the requests. */
  eachChange(
    query?: { limit?: number | undefined },
    options?: CallOptions,
  ): AsyncGenerator<EnterpriseControlChange, void, undefined>;
  /** Redacts settings that an earlier version of the redaction stored; sends no request. */
  redactStored(settings: JsonObject): { settings: RedactedSettings; redaction: number };
}

export function createControls(send: Send, redact: Redact): Controls {
  const change = tolerant(changeSchema(redact));
  // Settings may be large; redacting the changes as they arrive keeps the event loop free.
  const reader = () => createJsonReader('$.changes.*', change, { maxBytes: MAX_PAGE_BYTES });
  const history = async (query: HistoryQuery = {}, options?: CallOptions) => {
    const checked = checkArgument('GET', PATH, 'query', historyQuery, query);
    const call = { method: 'GET', host: 'base', path: PATH, query: checked, schema: pageSchema, reader } as const;
    return send({ ...call, holdsSecrets: true }, options);
  };
  return {
    history,
    // The marks of twice redacted settings cannot be compared with those of settings that were redacted once.
    redactStored: (settings) => ({ settings: redact(settings), redaction: -redact.id }),
    eachChange: ({ limit = LARGEST_PAGE } = {}, options) =>
      eachItem({
        path: PATH,
        load: (cursor) => history({ limit, cursor }, options),
        items: (page) => page.changes,
        next: (page) => nextByCursor(page.pagination),
        key: (change) => String(change.revision),
      }),
  };
}
