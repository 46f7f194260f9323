/**
 * The version of the rules of time zones in this Node.js, such as `2026c`. They change within a major version: digests
 * are due by these rules, whatever the machine or the database knows.
 */
export const zoneRulesVersion = (): string => process.versions.tz ?? 'unknown';

/** The local time of an instant, as `2026-11-27 09:00`; undefined for a zone that this Node.js does not know. */
export function localTimeIn(zone: string, instant: Date): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    return parts.format(instant);
  } catch {
    return undefined;
  }
}
