import { z } from 'zod';
import { clockFrom, realClock, type Clock } from '../clock.ts';
import { explainStart, fail, readArguments } from '../command-line.ts';
import { EDITIONS } from './model/edition.ts';
import { dayName } from './model/calendar.ts';
import { yesterday } from './model/figures.ts';
import { type SimulatedPlatform, startPlatform } from './platform.ts';

const USAGE =
  'Usage: npm run platform -- [--platform contract|today] [--people 60] [--seed 1] [--port 4010] [--at 2026-11-20T09:00:00Z]';

const settings = z.object({
  platform: z.enum(EDITIONS).default('contract'),
  people: z.coerce.number().int().min(5).max(20_000).default(60),
  seed: z.coerce.number().int().default(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4_010),
  at: z.iso.datetime({ offset: true }).optional(),
});

async function main(): Promise<void> {
  const { platform: edition, people, seed, port, at } = readArguments(settings, USAGE);
  const clock = at === undefined ? realClock : clockFrom(new Date(at));
  const platform = await startPlatform({ clock, edition, people, seed, port }).catch((error: unknown) =>
    fail(explainStart(error, port, '--port.')),
  );
  console.log(describe(platform, clock));
  const stop = () => void platform.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function describe({ baseUrl, appUrl, apiKeys, organization, sessionIds }: SimulatedPlatform, clock: Clock): string {
  const day = dayName(yesterday(clock));
  return `A platform with ${organization.people.length} people is listening.

  PLATFORM_BASE_URL=${baseUrl}
  PLATFORM_APP_URL=${appUrl}
  PLATFORM_API_KEY=${apiKeys.manager}

A member's key, which analytics refuse: ${apiKeys.member}
A session with messages: ${sessionIds[0]}

Try:
  curl -H 'Authorization: Bearer ${apiKeys.manager}' '${baseUrl}/api/v1/analytics/tokens?startDate=${day}&endDate=${day}'
  curl ${baseUrl}/_sandbox/state`;
}

await main();
