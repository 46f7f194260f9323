import { isPlatformError } from '../core/platform/errors.ts';
import type { PlatformClient } from '../core/platform/client.ts';
import { statedSentence } from '../core/slack/blocks/faults.ts';
import type { RecordReading, Source } from '../core/watches/source-readings.ts';

const NOT_UNDERSTOOD = 'The answer could not be read.';

/** Records how each reading of figures and readiness reports ends. */
export function observeSources(platform: PlatformClient, record: RecordReading): PlatformClient {
  const { analytics, readiness } = platform;
  const fail = (source: Source, part: string, error: unknown) => {
    if (isPlatformError(error, 'cancelled') || isPlatformError(error, 'invalid_argument')) return;
    record(source, part, isPlatformError(error) ? statedSentence(error) : NOT_UNDERSTOOD);
  };
  const reading = async (source: Source, part: string, answer: unknown): Promise<unknown> => {
    try {
      const read = await answer;
      record(source, part);
      return read;
    } catch (error) {
      fail(source, part, error);
      throw error;
    }
  };
  /** A reader that stops early has read what it wanted. */
  async function* listing<Item>(
    source: Source,
    part: string,
    items: AsyncIterable<Item>,
  ): AsyncGenerator<Item, void, undefined> {
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
    // Whatever is asked for, also by a method that comes later: each is a part of the figures.
    analytics: new Proxy(analytics, {
      get: (target, part) => {
        const read: unknown = Reflect.get(target, part);
        if (typeof read !== 'function' || typeof part === 'symbol') return read;
        return (...query: readonly unknown[]) => {
          const answer: unknown = Reflect.apply(read, target, query);
          return isListing(answer) ? listing('figures', part, answer) : reading('figures', part, answer);
        };
      },
    }),
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

const isListing = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
