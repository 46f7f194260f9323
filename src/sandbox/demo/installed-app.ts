import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fitManifest } from '../../programs/manifest/manifest.ts';
import type { Control } from '../slack/people/control-types.ts';

const manifestSchema = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(
      z.looseObject({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string().optional(),
        should_escape: z.boolean().optional(),
      }),
    ),
  }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
});

/**
 * Reads the app as the manifest installs it: its commands, and no further scopes. An omission of the manifest thus fails in the
 * sandbox as it would in a workspace.
 *
 * @param commandPrefix the prefix of each command in this workspace
 * @param toolsAddress the address of the tools for Slackbot; left out if they are off
 * @example await slack.control.configure(readInstalledApp());
 */
export function readInstalledApp(commandPrefix = '', toolsAddress?: string): Parameters<Control['configure']>[0] {
  const text = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
  const { features, oauth_config } = manifestSchema.parse(parse(fitManifest(text, { commandPrefix, toolsAddress })));
  return {
    scopes: oauth_config.scopes.bot,
    commands: features.slash_commands.map((one) => ({
      command: one.command,
      description: one.description,
      usageHint: one.usage_hint ?? '',
      shouldEscape: one.should_escape ?? false,
    })),
  };
}
