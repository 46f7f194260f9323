/** After this many failed messages in a row a subscription is paused, and its owner gets a direct message. */
export const MAX_FAILURES = 3;
