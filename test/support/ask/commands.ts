import { createFeatures } from '../../../src/app/features.ts';
import { readConfig } from '../../../src/base/settings/config.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import type { SlashCommand } from '../../../src/slack/interactions.ts';

const SETTINGS = {
  SLACK_BOT_TOKEN: 'xoxb-unused',
  SLACK_APP_TOKEN: 'xapp-unused',
  PLATFORM_BASE_URL: 'http://localhost:1',
  PLATFORM_APP_URL: 'http://localhost:1',
  PLATFORM_API_KEY: 'unused',
};

/** The slash commands of the app, only to read words: nothing that a command would need to run is there. */
export function readableCommands(clock: Clock): readonly SlashCommand[] {
  const settings = readConfig(SETTINGS);
  if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
  const { config } = settings;
  const given: unknown = [{ ...Object.fromEntries(PARTS.map((part) => [part, ABSENT])), config, clock }, {}, {}, {}];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- reading words uses only the settings and the clock
  const features = createFeatures(...(given as Parameters<typeof createFeatures>));
  return features.flatMap(({ commands }) => commands ?? []);
}

/** Any part that is handed on; it does nothing. */
const ABSENT: unknown = new Proxy(() => ABSENT, { get: () => ABSENT });
const PARTS = ['db', 'platform', 'days', 'checks', 'people', 'erased', 'channels', 'files', 'log', 'readDataGap'];
