/** Where a platform may have its readiness reports: today's documentation, and the contract. The first is tried first. */
export const READINESS_PLACES = [
  '/api/organization/agent-readiness-reports',
  '/api/organization/maturity-level-reports',
] as const;
export type ReadinessPlace = (typeof READINESS_PLACES)[number];

/** Remembers where the reports were found last. */
export interface PlaceMemory {
  read(): Promise<ReadinessPlace | undefined>;
  remember(place: ReadinessPlace): Promise<void>;
}

/** Forgets with the process. */
export function createPlaceMemory(): PlaceMemory {
  let known: ReadinessPlace | undefined;
  return {
    read: () => Promise.resolve(known),
    remember: (place) => {
      known = place;
      return Promise.resolve();
    },
  };
}
