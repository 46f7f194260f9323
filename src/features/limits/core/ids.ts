export const returnIdOf = (id: string): string => `${id}-back`;

export const undoIdOf = (id: string) => `${id}-undo`;

export const auditSubject = (id: string) => `limits:${id}`;
