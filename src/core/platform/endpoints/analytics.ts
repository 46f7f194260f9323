import { z } from 'zod';
import { analyticsPeriod, type AnalyticsPeriod } from './analytics-range.ts';
import {
  activityByClientRow,
  activityRow,
  analyticsMeta,
  personDayCredits,
  plainPersonDayCredits,
  productivityRow,
  tokensByModelRow,
  tokensRow,
  toolsByNameRow,
  toolsRow,
  userRow,
  type ActivityByClientRow,
  type ActivityRow,
  type AnalyticsMeta,
  type Envelope,
  type ProductivityRow,
  type TokensByModelRow,
  type TokensRow,
  type ToolsByNameRow,
  type ToolsRow,
  type UserRow,
} from './analytics-rows.ts';
import { type BodyDigest, type BodyReader, createChangeReader, createJsonReader } from '../transport/body-reader.ts';
import { checkArgument, opaqueText, pageSize } from '../arguments.ts';
import { eachPage, type NextPage } from './cursor-pages.ts';
import { createSharedKeys } from './listing-keys.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const BASE_PATH = '/api/v1/analytics';
const LARGEST_PAGE = 100;
/** An answer about several days is refused above this: a single day may be larger, and takes less memory. */
const MAX_BYTES_OF_DAYS = 16 * 1024 * 1024;

export interface UsersQuery extends AnalyticsPeriod {
  /** 1-100 (API document: default 20). */
  limit?: number | undefined;
  /** `meta.next_cursor` of the page before. */
  cursor?: string | undefined;
}

/**
 * Usage figures by UTC day. Every method throws PlatformError.
 *
 * @example const { data } = await client.analytics.tokens({ startDate: '2026-03-01', endDate: '2026-03-07' });
 */
export interface Analytics {
  /** Credits by day, with models and people: megabytes in a large organization, so ask for a week at most. */
  tokens(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<TokensRow>>;
  /** The same, unless the body has the bytes of an earlier answer: then it is not parsed. */
  changedTokens(period: AnalyticsPeriod, seen: SeenBody | undefined, options?: CallOptions): Promise<ChangedTokens>;
  tokensByModel(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<TokensByModelRow>>;
  tools(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<ToolsRow>>;
  toolsByName(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<ToolsByNameRow>>;
  activity(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<ActivityRow>>;
  activityByClient(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<ActivityByClientRow>>;
  productivity(period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<ProductivityRow>>;
  /** Returns one page of rows by person and day, in no order that the document shows. */
  users(query: UsersQuery, options?: CallOptions): Promise<Envelope<UserRow>>;
  /** Each person's day once, a page at a time. */
  userPages(period: AnalyticsPeriod, options?: CallOptions): AsyncGenerator<readonly UserRow[], void, undefined>;
}

export interface SeenBody {
  digest: BodyDigest;
  bytes: number;
}

/** Without an answer, the body is the one that was seen. */
export type ChangedTokens = { body: SeenBody; answer: Envelope<TokensRow> | undefined };

const tokensReader = ({ startDate, endDate }: AnalyticsPeriod) =>
  createJsonReader('$.data.*.by_user.*', personDayCredits, {
    plain: plainPersonDayCredits,
    ...(startDate !== endDate && { maxBytes: MAX_BYTES_OF_DAYS }),
  });

export function createAnalytics(send: Send): Analytics {
  const ask =
    <Row>(
      resource: string,
      row: z.ZodType<Row>,
      { groupBy, reader }: { groupBy?: string; reader?: (period: AnalyticsPeriod) => BodyReader } = {},
    ) =>
    async (period: AnalyticsPeriod, options?: CallOptions): Promise<Envelope<Row>> => {
      const path = `${BASE_PATH}/${resource}`;
      const { startDate, endDate } = checkArgument('GET', path, 'period', analyticsPeriod, period);
      const query = { startDate, endDate, group_by: groupBy };
      return send(
        {
          method: 'GET',
          host: 'base',
          path,
          query,
          schema: envelope(row),
          ...(reader && { reader: () => reader(period) }),
        },
        options,
      );
    };
  const users = (query: UsersQuery, options?: CallOptions) => askUsers(send, query, options);
  const sharedKeys = createSharedKeys();
  return {
    tokens: ask('tokens', tokensRow, { reader: tokensReader }),
    changedTokens: async (asked, seen, options) => {
      const path = `${BASE_PATH}/tokens`;
      const { startDate, endDate } = checkArgument('GET', path, 'period', analyticsPeriod, asked);
      let body: SeenBody = { digest: '', bytes: 0 };
      const reader = () =>
        createChangeReader(tokensReader(asked), seen, ({ digest, bytes }) => (body = { digest, bytes }));
      const schema = envelope(tokensRow).optional();
      const answer = await send(
        { method: 'GET', host: 'base', path, query: { startDate, endDate }, schema, reader },
        options,
      );
      return { body, answer };
    },
    tokensByModel: ask('tokens', tokensByModelRow, { groupBy: 'model' }),
    tools: ask('tools', toolsRow),
    toolsByName: ask('tools', toolsByNameRow, { groupBy: 'tool_name' }),
    activity: ask('activity', activityRow),
    activityByClient: ask('activity', activityByClientRow, { groupBy: 'client' }),
    productivity: ask('productivity', productivityRow),
    users,
    userPages: async function* ({ startDate, endDate }, options) {
      using keys = sharedKeys.open();
      yield* eachPage({
        path: USERS_PATH,
        load: (cursor) => users({ startDate, endDate, limit: LARGEST_PAGE, cursor }, options),
        items: (page) => page.data,
        next: (page) => nextUsersPage(page.meta),
        // The listings of single days share the ids of people.
        key: (row) => (row.date === startDate ? row.user_id : `${row.date} ${row.user_id}`),
        keys,
        fullPage: LARGEST_PAGE,
      });
    },
  };
}

const USERS_PATH = `${BASE_PATH}/users`;
const usersEnvelope = envelope(userRow);
const usersPage = z.object({ limit: pageSize.optional(), cursor: opaqueText.optional() });

async function askUsers(send: Send, query: UsersQuery, options?: CallOptions): Promise<Envelope<UserRow>> {
  const { startDate, endDate } = checkArgument('GET', USERS_PATH, 'period', analyticsPeriod, query);
  const { limit, cursor } = checkArgument('GET', USERS_PATH, 'page', usersPage, query);
  const sent = { startDate, endDate, limit, cursor };
  return send({ method: 'GET', host: 'base', path: USERS_PATH, query: sent, schema: usersEnvelope }, options);
}

/** A cursor without `has_more` means "more": a page too many is an extra call, a page too few is a wrong figure. */
function nextUsersPage({ has_more, next_cursor }: AnalyticsMeta): NextPage {
  const cursor = next_cursor || undefined;
  return (has_more ?? cursor !== undefined) ? { more: true, cursor } : { more: false };
}

function envelope<Row>(row: z.ZodType<Row>): z.ZodType<Envelope<Row>> {
  return z.looseObject({ data: z.array(row), meta: analyticsMeta });
}
