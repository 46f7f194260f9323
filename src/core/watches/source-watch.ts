import { HOUR_MS } from '../base/time/durations.ts';
import { markup, own, readerTime, type Markup } from '../base/text/markup.ts';
import type { Services } from '../services.ts';
import { type declareRefusalNotice, refusalWatch, type RefusalEvidence, type RefusalWatch } from './refusal-watch.ts';

/** Shorter outages end by themselves. */
const CERTAIN_AFTER_MS = HOUR_MS;

/** A source of the platform that is read again and again without a request. */
export interface PolledSource extends Pick<RefusalWatch, 'topic' | 'name' | 'evidence'> {
  notice: ReturnType<typeof declareRefusalNotice>;
  /** Begins a sentence: `The history of the enterprise controls`. */
  what: string;
  isPlural: boolean;
  /** Sentences: what does not work until it is read again, and what happens then. */
  consequence: string;
}

/** Tells the admins once if a source has not been read for an hour, for whatever reason, and once when it is again. */
export function sourceWatch(
  deps: Pick<Services, 'db' | 'clock' | 'people'>,
  { what, isPlural, consequence, ...source }: PolledSource,
): ReturnType<typeof refusalWatch> {
  const lines = ({ state, since, detail }: Parameters<RefusalWatch['lines']>[0]): Markup[] => {
    const at = readerTime(new Date(since));
    return state === 'refused'
      ? [
          markup`⚠️ *${own(what)} ${isPlural ? 'haven’t' : 'hasn’t'} been read since ${at}.* ${detail ?? ''}`,
          markup`${own(consequence)} The log has the details.`,
        ]
      : [markup`✅ *${own(what)} ${isPlural ? 'are' : 'is'} read again*, since ${at}.`];
  };
  const subject = `${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  return refusalWatch(deps, {
    ...source,
    job: {
      name: `watch-${source.name}`,
      cron: '* * * * *',
      purpose: `informs admins if ${subject} can’t be read for an hour`,
    },
    certainAfterMs: CERTAIN_AFTER_MS,
    lines,
  });
}

/** A sentence in fixed words while the admins are told so, for `/quartermaster` and `/readyz`. Pure. */
export function sourceFault({ refusedSince }: RefusalEvidence, now: Date): string | undefined {
  const isTold = refusedSince !== undefined && now.getTime() - refusedSince.getTime() >= CERTAIN_AFTER_MS;
  return isTold ? `not read since ${refusedSince.toISOString().slice(0, 16)}Z` : undefined;
}
