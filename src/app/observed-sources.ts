import { isPlatformError } from '../core/platform/errors.ts';
import type { PlatformClient } from '../core/platform/client.ts';
import { platformSentence } from '../core/slack/blocks/faults.ts';
import type { RecordReading, Source } from '../core/watches/source-readings.ts';

const NOT_UNDERSTOOD = 'The answer could not be read.';

/** Records how each reading of figures and readiness reports ends. */
export function observeSources(platform: PlatformClient, record: RecordReading): PlatformClient {
  const { analytics, readiness } = platform;
  const fail = (source: Source, part: string, error: unknown) => {
    if (isPlatformError(error, 'cancelled') || isPlatformError(error, 'invalid_argument')) return;
    record(source, part, isPlatformError(error) ? platformSentence(error) : NOT_UNDERSTOOD);
  };
  const answers =
    <Query extends readonly unknown[], Answer>(part: string, read: (...query: Query) => Promise<Answer>) =>
    async (...query: Query): Promise<Answer> => {
      try {
        const answer = await read(...query);
        record('figures', part);
        return answer;
      } catch (error) {
        fail('figures', part, error);
        throw error;
      }
    };
  /** A reader that stops early has read what it wanted. */
  async function* listing<Item>(source: Source, part: string, items: AsyncGenerator<Item, void, undefined>) {
    try {
      yield* items;
      record(source, part);
    } catch (error) {
      fail(source, part, error);
      throw error;
    }
  }
  return {
    ...platform,
    analytics: {
      tokens: answers('tokens', (...query) => analytics.tokens(...query)),
      changedTokens: answers('tokens', (...query) => analytics.changedTokens(...query)),
      tokensByModel: answers('tokens-by-model', (...query) => analytics.tokensByModel(...query)),
      tools: answers('tools', (...query) => analytics.tools(...query)),
      toolsByName: answers('tools-by-name', (...query) => analytics.toolsByName(...query)),
      activity: answers('activity', (...query) => analytics.activity(...query)),
      activityByClient: answers('activity-by-client', (...query) => analytics.activityByClient(...query)),
      productivity: answers('productivity', (...query) => analytics.productivity(...query)),
      users: answers('users', (...query) => analytics.users(...query)),
      userPages: (...query) => listing('figures', 'users', analytics.userPages(...query)),
    },
    readiness: {
      reports: (...query) => readiness.reports(...query),
      // The reports of one repository may be missing.
      eachReport: (query, options) =>
        query?.repoId === undefined
          ? listing('readiness', 'reports', readiness.eachReport(query, options))
          : readiness.eachReport(query, options),
    },
  };
}
