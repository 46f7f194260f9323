export function returnIdOf(id: string): string {
  return `${id}-back`;
}

export const undoIdOf = (id: string) => `${id}-undo`;

export const auditSubject = (id: string) => `limits:${id}`;
