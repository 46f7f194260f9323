import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { SCOPES_OF_TOOLS } from '../../src/doctor/required-scopes.ts';
import { readText } from './parsing/sources.ts';

const manifest = z
  .object({
    oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
    settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
  })
  .parse(parse(readText('manifest.yml')));

const namesIn = (section: string) =>
  [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

test('docs/permissions.md explains each scope and event of the manifest, and no other', () => {
  const [, scopes = '', events = ''] = readText('docs/permissions.md').split(/^## (?:Scopes|Events) in Slack$/m);
  const asked = [...manifest.oauth_config.scopes.bot, ...Object.keys(SCOPES_OF_TOOLS)];
  expect(namesIn(scopes).toSorted()).toEqual(asked.toSorted());
  expect(namesIn(events).toSorted()).toEqual(manifest.settings.event_subscriptions.bot_events.toSorted());
});
