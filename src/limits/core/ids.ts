/** @example returnIdOf('k7m2x') // 'k7m2x-back' */
export function returnIdOf(id: string): string {
  return `${id}-back`;
}

export const auditSubject = (id: string) => `limits:${id}`;
