/** @example returnIdOf('k7m2x') // 'k7m2x-back' */
export function returnIdOf(id: string): string {
  return `${id}-back`;
}

/** What the audit says a request is. */
export const auditSubject = (id: string) => `limits:${id}`;
