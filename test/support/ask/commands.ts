import { createFeatures } from '../../../src/app/features.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import { readUsableSettings } from '../../../src/programs/doctor/settings.ts';
import type { SlashCommand } from '../../../src/core/slack/interactions/interactions.ts';

/** The slash commands of the app, only to read words: nothing that a command would need to run is there. */
export function readableCommands(clock: Clock): readonly SlashCommand[] {
  const { config } = readUsableSettings({});
  const given: unknown = [{ ...Object.fromEntries(PARTS.map((part) => [part, ABSENT])), config, clock }, {}, {}];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- reading words uses only the settings and the clock
  const { all } = createFeatures(...(given as Parameters<typeof createFeatures>));
  return all.flatMap(({ commands }) => commands ?? []);
}

/** Any part that is handed on; it does nothing. */
const ABSENT: unknown = new Proxy(() => ABSENT, { get: () => ABSENT });
const PARTS = ['db', 'platform', 'days', 'checks', 'people', 'erased', 'channels', 'files', 'log', 'readDataGap'];
