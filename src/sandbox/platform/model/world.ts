import type { Clock } from '../../clock.ts';
import { type Computers, createComputers } from './computers-data.ts';
import { type ControlsHistory, createControlsHistory } from './controls-data.ts';
import type { Edition } from './edition.ts';
import { type Figures, createFigures } from './figures.ts';
import { type Limits, createLimits } from './limits-data.ts';
import { type Organization, createOrganization } from './organization.ts';
import { type StoredSession, createSessions } from './sessions-data.ts';

export interface World {
  clock: Clock;
  seed: number;
  edition: Edition;
  organization: Organization;
  figures: Figures;
  controls: ControlsHistory;
  /** Ids of readiness reports that now pass everything, regardless of their content. */
  revisedReports: Set<string>;
  sessions: ReadonlyMap<string, StoredSession>;
  computers: Computers;
  limits: Limits;
}

export interface WorldSettings {
  clock: Clock;
  seed: number;
  people: number;
  edition: Edition;
  publishDelayMs?: number | undefined;
  creditDecimals?: number | undefined;
  oldestRevision?: number | undefined;
}

/** Today, a developer uses hundreds of thousands of credits a day. */
const CREDIT_FACTORS: Readonly<Record<Edition, number>> = { contract: 1, today: 3 };

export function createWorld(settings: WorldSettings): World {
  const { clock, seed, people, edition, publishDelayMs, creditDecimals, oldestRevision } = settings;
  const organization = createOrganization({ seed, people, creditDecimals, creditFactor: CREDIT_FACTORS[edition] });
  return {
    clock,
    seed,
    edition,
    organization,
    figures: createFigures({ organization, clock, publishDelayMs }),
    controls: createControlsHistory(organization, clock, oldestRevision ?? 1),
    revisedReports: new Set(),
    sessions: createSessions(organization, clock.now().getTime()),
    computers: createComputers(seed, clock, edition),
    limits: createLimits(organization, edition),
  };
}
