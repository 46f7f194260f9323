import { MINUTE_MS } from '../base/time/durations.ts';

/** How old what may still change may be where nobody waits for it: a look a minute later asks the platform nothing. */
export const FACTS_MAX_AGE_MS = 3 * MINUTE_MS;
