import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { OPTIONAL_SCOPES } from '../../../src/core/slack/client/optional-scopes.ts';
import { REQUIRED_SCOPES } from '../../../src/programs/doctor/required-scopes.ts';
import { EVENTS_PATH } from '../../../src/core/slack/receivers/connection.ts';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { calledMethods, METHOD_SCOPES, unreadableCalls } from './slack-methods.ts';
import { readText, typeScriptFiles } from '../../repository/parsing/sources.ts';

// The bounds are Slack's: https://docs.slack.dev/reference/app-manifest
const commandSchema = z.strictObject({
  command: z.string().regex(/^\/[a-z0-9_-]{1,31}$/),
  description: z.string().min(1).max(2000),
  usage_hint: z.string().min(1).max(1000),
  should_escape: z.literal(true),
});
const shortcutSchema = z.strictObject({
  name: z.string().min(1).max(24),
  type: z.literal('global'),
  callback_id: z.string().max(255),
  description: z.string().min(1).max(150),
});
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: z.string().max(35),
    description: z.string().max(140),
    long_description: z.string().max(4000),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/i),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({ display_name: z.string().max(80), always_online: z.boolean() }),
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    shortcuts: z.array(shortcutSchema).max(10),
    slash_commands: z.array(commandSchema).max(50),
  }),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(z.string()).max(255), bot_optional: z.array(z.string()).max(255) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()) }).optional(),
    interactivity: z.strictObject({ is_enabled: z.literal(true) }),
    org_deploy_enabled: z.literal(false),
    socket_mode_enabled: z.literal(true),
    token_rotation_enabled: z.literal(false),
  }),
});

const text = readText('manifest.yml');
const manifest = manifestSchema.parse(parse(text));
const bot = typeScriptFiles('src').filter(({ path }) => !path.startsWith('src/sandbox/'));
const called = calledMethods(bot);
const scopes = manifest.oauth_config.scopes.bot.toSorted();

describe('the scopes of the manifest', () => {
  test('are exactly those that the called methods and the events need', () => {
    const unknown = [...called].filter((method) => !(method in METHOD_SCOPES));
    expect(unknown, 'methods without a line in METHOD_SCOPES').toEqual([]);
    const needed = new Set([
      'commands',
      'app_mentions:read',
      ...[...called].flatMap((method) => METHOD_SCOPES[method] ?? []),
    ]);
    expect(scopes).toEqual([...needed].toSorted());
  });

  test('are those that the doctor checks', () => {
    expect(scopes).toEqual(Object.keys({ ...REQUIRED_SCOPES, ...OPTIONAL_SCOPES }).toSorted());
  });

  test('may be declined if the bot works without them', () => {
    expect(manifest.oauth_config.scopes.bot_optional.toSorted()).toEqual(Object.keys(OPTIONAL_SCOPES).toSorted());
  });

  test('are found however a method is called', () => {
    expect(called).toContain('chat.postMessage');
    expect(called).toContain('usergroups.users.list');
    const sources = [{ path: 'a.ts', text: 'await client\n  .reactions\n  .add({});  parts?.web.pins.add({})' }];
    expect([...calledMethods(sources)].toSorted()).toEqual(['pins.add', 'reactions.add']);
    expect(unreadableCalls([{ path: 'a.ts', text: 'client.apiCall(method, {})' }])).toEqual(['a.ts']);
    expect(unreadableCalls([{ path: 'a.ts', text: 'const { users } = client;' }])).toEqual(['a.ts']);
    expect(unreadableCalls(bot)).toEqual([]);
  });
});

describe('the commands of the manifest', () => {
  let scene: TestApp;
  const commands = manifest.features.slash_commands.map(({ command }) => command);
  beforeAll(async () => {
    scene = await startTestApp({ slack: { scopes }, settings: { DIGEST_CHANNEL: '#agent-usage' } });
    await scene.slack.control.configure({ commands: commands.map((command) => ({ command })) });
  });
  afterAll(() => scene.close());

  test.each(commands)('%s is answered with its help, under the scopes of the manifest', async (command) => {
    const since = scene.slack.mark();
    await scene.slack.control.command({ as: 'ada', channel: 'general', command, text: 'help' });
    const answer = await nextAnswer(scene.slack, since);
    expect(answer.text).toContain(command);
    expect(answer.text).not.toContain('does not know');
    expect(scene.slack.traffic.latest().filter(({ status }) => status.includes('missing_scope'))).toEqual([]);
  });

  test('are those of the features', () => {
    const inFeatures = bot.flatMap(({ text }) =>
      [...text.matchAll(/\bcommand: '(\/[\w-]+)'/g)].map((match) => match[1] ?? ''),
    );
    expect([...new Set(inFeatures)].toSorted()).toEqual(commands.toSorted());
  });

  test('have a description and a usage hint of their own', () => {
    const texts = manifest.features.slash_commands.flatMap((one) => [one.description, one.usage_hint]);
    expect(new Set(texts).size).toBe(2 * commands.length);
  });
});

describe('the events of the manifest', () => {
  test('are those that the code listens to, and App Home is enabled', () => {
    const heard = bot.flatMap(({ text }) =>
      [...text.matchAll(/\bapp\.event\('([\w.]+)'/g)].map((match) => match[1] ?? ''),
    );
    // A message event is subscribed to by the kind of its conversation.
    const events = heard.map((event) => (event === 'message' ? 'message.im' : event));
    expect(manifest.settings.event_subscriptions?.bot_events.toSorted()).toEqual([...new Set(events)].toSorted());
    expect(manifest.features.app_home.home_tab_enabled).toBe(true);
  });
});

describe('the transports', () => {
  test('the notes for HTTP name the manual changes', () => {
    const notes = text
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n');
    expect(notes).toContain('socket_mode_enabled: false');
    expect(notes).toMatch(new RegExp(`request_url: https://\\S+${EVENTS_PATH}`));
    expect(notes).toMatch(new RegExp(`url: https://\\S+${EVENTS_PATH}`));
    for (const setting of ['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN'])
      expect(notes).toContain(setting);
    expect(notes).toContain('connections:write');
  });
});
