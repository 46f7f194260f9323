import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { fitManifest } from '../../../src/programs/manifest/manifest.ts';
import { readText } from '../../repository/parsing/sources.ts';

const schema = z.looseObject({
  features: z.looseObject({
    slash_commands: z.array(z.looseObject({ command: z.string(), url: z.string().optional() })),
  }),
  settings: z.looseObject({
    interactivity: z.looseObject({ request_url: z.string().optional() }),
    event_subscriptions: z.looseObject({ request_url: z.string().optional() }),
    socket_mode_enabled: z.boolean(),
  }),
});
const text = readText('manifest.yml');
const read = (manifest: string) => schema.parse(parse(manifest));
const namesIn = (manifest: string) => read(manifest).features.slash_commands.map(({ command }) => command);

describe('the manifest', () => {
  test('is the file itself if no setting differs', () => {
    expect(fitManifest(text, { commandPrefix: '' })).toBe(text);
  });

  test('with a prefix differs only in the names of the commands, which Slack accepts', () => {
    const names = namesIn(fitManifest(text, { commandPrefix: 'abcdefghijkl-' }));
    expect(names).toEqual(namesIn(text).map((name) => name.replace('/', '/abcdefghijkl-')));
    expect(names.filter((name) => name.length > 32)).toEqual([]);
    const back = fitManifest(text, { commandPrefix: 'qm-' }).replaceAll('/qm-', '/');
    expect(back).toBe(text);
  });

  test('for HTTP leads every URL to one address, and no longer lists manual changes', () => {
    const made = fitManifest(text, { commandPrefix: 'qm-', httpAddress: 'https://bot.example.com' });
    const { features, settings } = read(made);
    const address = 'https://bot.example.com/slack/events';
    expect(new Set(features.slash_commands.map(({ url }) => url))).toEqual(new Set([address]));
    expect(settings).toMatchObject({
      interactivity: { request_url: address },
      event_subscriptions: { request_url: address },
      socket_mode_enabled: false,
    });
    expect(made).not.toMatch(/For HTTP|As it stands/);
    expect(made).toMatch(/^# The Slack app of Quartermaster\./);
  });

  test('without words subscribes to no messages and asks for no scope of them', () => {
    const made = fitManifest(text, { commandPrefix: '', answersWords: false });
    expect(made).not.toMatch(/app_mention|message\.im/);
    expect(made).toContain('messages_tab_read_only_enabled: true');
    expect(parse(text)).toMatchObject({ features: { app_home: { messages_tab_read_only_enabled: false } } });
    const removed = text.split('\n').filter((line) => !made.split('\n').includes(line));
    expect(removed).toHaveLength(7);
  });

  test('for the tools of Slackbot adds their scope and their server, and only then', () => {
    const toolsAddress = 'https://qm.example.com/mcp';
    const made = parse(fitManifest(text, { commandPrefix: '', toolsAddress }));
    expect(made).toMatchObject({
      mcp_servers: { quartermaster: { url: toolsAddress, auth_type: 'slack_identity_auth' } },
    });
    expect(JSON.stringify(made)).toContain('mcp:connect');
    expect(text).not.toMatch(/mcp/);
  });
});
