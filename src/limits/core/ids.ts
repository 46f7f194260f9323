export function returnIdOf(id: string): string {
  return `${id}-back`;
}

export const auditSubject = (id: string) => `limits:${id}`;
