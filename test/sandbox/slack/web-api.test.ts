import type { ConversationsListResponse } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { openSlack, platformData, quietClient, refusal, section } from './bolt-app.ts';

const metadata = { event_type: 'delivery', event_payload: { key: 'digest-7' } };

describe('messages', () => {
  test('are posted if the app is a member, and to people', async () => {
    const { client, slack } = await openSlack();
    const post = (channel: string) => refusal(client.chat.postMessage({ channel, text: 'a' }));
    expect(await post('C0USAGE')).toBe('accepted');
    expect(await post('U0MIA')).toBe('accepted');
    expect(await post('C0GENERAL')).toBe('not_in_channel');
    expect(await post('C0LEADS')).toBe('channel_not_found');
    expect(await post('C0OLDNEWS')).toBe('is_archived');
    expect(await post('C404')).toBe('channel_not_found');
    await slack.control.configure({ scopes: ['chat:write', 'chat:write.public'] });
    expect(await post('C0GENERAL')).toBe('accepted');
  });

  test('need a text or blocks, and are cut at 40,000 characters', async () => {
    const { client, slack } = await openSlack();
    expect(await refusal(client.chat.postMessage({ channel: 'C0USAGE', text: '' }))).toBe('no_text');
    await client.chat.postMessage({ channel: 'C0USAGE', text: 'x'.repeat(40_001) });
    expect((await slack.next('message')).message.text).toHaveLength(40_000);
  });

  test('take at most 100 attachments', async () => {
    const { client } = await openSlack();
    const attachments = Array.from({ length: 101 }, () => ({ text: 'a' }));
    const post = (count: number) =>
      client.chat.postMessage({ channel: 'C0USAGE', attachments: attachments.slice(0, count) });
    expect(await refusal(post(100))).toBe('accepted');
    expect(await refusal(post(101))).toBe('too_many_attachments');
  });

  test('are refused with invalid_blocks if the workspace has no charts yet', async () => {
    const { client, slack } = await openSlack();
    const chart = {
      type: 'data_visualization',
      title: 'a',
      chart: {
        type: 'bar',
        series: [{ name: 'a', data: [{ label: 'b', value: 1 }] }],
        axis_config: { categories: ['b'] },
      },
    };
    const post = () => client.chat.postMessage({ channel: 'C0USAGE', text: 'a', blocks: [chart] });
    expect(await refusal(post())).toBe('accepted');
    await slack.control.configure({ chartsSupported: false });
    const error: unknown = await post().catch((e: unknown) => e);
    expect(platformData(error)).toMatchObject({
      error: 'invalid_blocks',
      messages: [expect.anything(), expect.stringContaining('[json-pointer:/blocks/0/type]')],
    });
  });

  test('are refused with msg_blocks_too_long above the hidden budget', async () => {
    const { client } = await openSlack();
    const blocks = Array.from({ length: 5 }, () => section('x'.repeat(2800)));
    expect(await refusal(client.chat.postMessage({ channel: 'C0USAGE', text: 'a', blocks }))).toBe(
      'msg_blocks_too_long',
    );
  });

  test('are updated and deleted by their author, up to 4,000 bytes of text', async () => {
    const { client, slack } = await openSlack();
    const channel = 'C0USAGE';
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'a', blocks: [section('a')], metadata });
    expect(await refusal(client.chat.update({ channel, ts, text: 'b' }))).toBe('accepted');
    const { messages } = await client.conversations.history({ channel, include_all_metadata: true });
    expect(messages).toMatchObject([{ text: 'b', metadata, edited: expect.anything() }]);
    expect(messages?.[0]).not.toHaveProperty('blocks');
    expect(await refusal(client.chat.update({ channel, ts, text: '限'.repeat(1400) }))).toBe('msg_too_long');
    expect(await refusal(client.chat.update({ channel, ts: '1.2', text: 'b' }))).toBe('message_not_found');
    const theirs = await slack.control.post({ as: 'mia', channel, text: 'mine' });
    expect(await refusal(client.chat.update({ channel, ts: theirs.ts, text: 'b' }))).toBe('cant_update_message');
    expect(await refusal(client.chat.delete({ channel, ts: theirs.ts }))).toBe('cant_delete_message');
    expect(await refusal(client.chat.delete({ channel, ts }))).toBe('accepted');
  });

  test('that are ephemeral reach members only, and appear in no history', async () => {
    const { client } = await openSlack();
    const channel = 'C0USAGE';
    const { message_ts: ts = '' } = await client.chat.postEphemeral({ channel, user: 'U0MIA', text: 'psst' });
    expect((await client.conversations.history({ channel })).messages).toEqual([]);
    expect(await refusal(client.chat.update({ channel, ts, text: 'b' }))).toBe('message_not_found');
    expect(await refusal(client.chat.postEphemeral({ channel, user: 'U0GUS', text: 'a' }))).toBe('user_not_in_channel');
    expect(await refusal(client.chat.postEphemeral({ channel, user: 'U404', text: 'a' }))).toBe('user_not_found');
  });

  test('form threads, have permalinks and take reactions', async () => {
    const { client, slack } = await openSlack();
    const channel = 'C0USAGE';
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'first' });
    await client.chat.postMessage({ channel, text: 'reply', thread_ts: ts });
    const { messages } = await client.conversations.replies({ channel, ts });
    expect(messages?.map(({ text }) => text)).toEqual(['first', 'reply']);
    expect((await client.conversations.history({ channel })).messages).toMatchObject([
      { text: 'first', reply_count: 1 },
    ]);
    expect(await refusal(client.chat.postMessage({ channel, text: 'a', thread_ts: '1.2' }))).toBe('thread_not_found');
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts });
    expect(permalink).toBe(`https://acme.slack.com/archives/C0USAGE/p${ts.replace('.', '')}`);
    await client.reactions.add({ channel, timestamp: ts, name: 'eyes' });
    expect((await slack.next('message_updated')).message.reactions).toEqual([
      { name: 'eyes', users: ['U0QUARTERMASTER'] },
    ]);
  });

  test('are limited to one a second and channel if the workspace is set to it', async () => {
    const { client, slack } = await openSlack();
    await slack.control.configure({ realisticRateLimits: true });
    const impatient = quietClient(slack);
    await client.chat.postMessage({ channel: 'C0USAGE', text: 'a' });
    await client.chat.postMessage({ channel: 'U0MIA', text: 'a' });
    const second = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${impatient.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0USAGE', text: 'b' }),
    });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
  });
});

describe('conversations', () => {
  test('are listed page by page, without the private ones of others', async () => {
    const { client } = await openSlack();
    const types = 'public_channel,private_channel';
    const names: (string | undefined)[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: ConversationsListResponse = await client.conversations.list({ types, limit: 2, cursor });
      names.push(...(page.channels ?? []).map(({ name }) => name));
      cursor = page.response_metadata?.next_cursor || undefined;
    }
    expect(names).toEqual(['general', 'agent-usage', 'platform', 'acme-outside', 'old-news']);
  });

  test('can be looked up, joined, left and invited to', async () => {
    const { client, slack } = await openSlack();
    const { channel } = await client.conversations.info({ channel: 'C0PLATFORM' });
    expect(channel).toMatchObject({ name: 'platform', is_member: false, is_private: false });
    expect(await refusal(client.conversations.info({ channel: 'C0LEADS' }))).toBe('channel_not_found');
    expect(await refusal(client.conversations.history({ channel: 'C0PLATFORM' }))).toBe('not_in_channel');
    await client.conversations.join({ channel: 'C0PLATFORM' });
    expect((await client.conversations.members({ channel: 'C0PLATFORM' })).members).toContain('U0QUARTERMASTER');
    await slack.control.configure({ scopes: ['channels:manage', 'channels:read'] });
    expect(await refusal(client.conversations.invite({ channel: 'C0PLATFORM', users: 'U0NORA' }))).toBe('accepted');
    expect(await refusal(client.conversations.leave({ channel: 'C0PLATFORM' }))).toBe('accepted');
    expect(await refusal(client.conversations.invite({ channel: 'C0PLATFORM', users: 'U0GUS' }))).toBe(
      'not_in_channel',
    );
  });

  test('read history newest first, between two times, page by page', async () => {
    const { client, clock } = await openSlack();
    const channel = 'C0USAGE';
    for (const hour of ['09', '10', '11']) {
      clock.moveTo(new Date(`2026-03-02T${hour}:00:00Z`));
      await client.chat.postMessage({ channel, text: hour });
    }
    const first = await client.conversations.history({ channel, limit: 2 });
    expect(first.messages?.map(({ text }) => text)).toEqual(['11', '10']);
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.history({ channel, limit: 2, cursor });
    expect(second.messages?.map(({ text }) => text)).toEqual(['09']);
    const oldest = String(Date.parse('2026-03-02T09:30:00Z') / 1000);
    const later = await client.conversations.history({ channel, oldest });
    expect(later.messages?.map(({ text }) => text)).toEqual(['11', '10']);
  });

  test('open a direct message once', async () => {
    const { client } = await openSlack();
    const first = await client.conversations.open({ users: 'U0MIA' });
    const second = await client.conversations.open({ users: 'U0MIA' });
    expect(second).toMatchObject({ already_open: true, channel: { id: first.channel?.id } });
    expect(await refusal(client.conversations.open({ users: 'U0DAN' }))).toBe('user_disabled');
  });
});

describe('people', () => {
  test('carry the flags that distinguish strangers, guests and admins', async () => {
    const { client } = await openSlack();
    const user = async (id: string) => (await client.users.info({ user: id })).user;
    expect(await user('U0ADA')).toMatchObject({ is_admin: true, profile: { email: 'ada.admin@acme.example' } });
    expect(await user('U0GUS')).toMatchObject({ is_restricted: true });
    expect(await user('U0OLGA')).toMatchObject({ is_stranger: true, team_id: 'T0OUTSIDE' });
    expect(await user('U0DAN')).toMatchObject({ deleted: true });
    expect(await user('U0MORGAN')).toMatchObject({ tz: 'Europe/Berlin', tz_offset: 3600 });
    expect(await refusal(client.users.info({ user: 'U404' }))).toBe('user_not_found');
    expect((await client.users.list({})).members?.length).toBeGreaterThan(8);
    expect((await client.users.profile.get({ user: 'U0MIA' })).profile?.real_name).toBe('Mia Chen');
  });

  test('are found by e-mail and by group', async () => {
    const { client } = await openSlack();
    expect((await client.users.lookupByEmail({ email: 'Mia.Member@acme.example' })).user?.id).toBe('U0MIA');
    expect(await refusal(client.users.lookupByEmail({ email: 'nobody@acme.example' }))).toBe('users_not_found');
    const { usergroups } = await client.usergroups.list({});
    expect(usergroups?.map(({ handle }) => handle)).toEqual(['platform-leads', 'web-team']);
    expect((await client.usergroups.users.list({ usergroup: 'S0WEB' })).users).toEqual(['U0MIA', 'U0NORA']);
    const mine = await client.users.conversations({});
    expect(mine.channels?.map(({ name }) => name)).toEqual(['agent-usage', 'acme-outside', 'old-news']);
  });

  test('show no e-mail without the scope for it', async () => {
    const { client } = await openSlack({ scopes: ['users:read'] });
    expect((await client.users.info({ user: 'U0MIA' })).user?.profile).not.toHaveProperty('email');
    const error: unknown = await client.users.lookupByEmail({ email: 'a@b.c' }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      data: { error: 'missing_scope', needed: 'users:read.email', provided: 'users:read' },
    });
  });
});

describe('tokens and methods', () => {
  test('are checked on every call', async () => {
    const { slack, client } = await openSlack();
    expect(await client.auth.test()).toMatchObject({
      user_id: 'U0QUARTERMASTER',
      team: 'Acme',
      bot_id: 'B0QUARTERMASTER',
    });
    expect(await client.bots.info({ bot: 'B0QUARTERMASTER' })).toMatchObject({ bot: { name: 'Quartermaster' } });
    expect(await client.team.info()).toMatchObject({ team: { domain: 'acme' } });
    expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({ args: { foo: 'bar' } });
    expect(await refusal(quietClient(slack, 'xoxb-wrong').auth.test())).toBe('invalid_auth');
    expect(await refusal(quietClient(slack, '').auth.test())).toBe('not_authed');
    expect(await refusal(client.apps.connections.open({}))).toBe('not_allowed_token_type');
    expect(await refusal(client.apiCall('stars.add', {}))).toBe('unknown_method');
  });
});

describe('files', () => {
  test('are uploaded, shared and read back', async () => {
    const { client, slack } = await openSlack();
    await client.files.uploadV2({
      channel_id: 'C0USAGE',
      filename: 'usage.csv',
      file: Buffer.from('day,credits\n'),
      initial_comment: 'The figures',
    });
    const { message } = await slack.next('message', (event) => event.message.files.length > 0);
    expect(message).toMatchObject({ text: 'The figures', files: [{ name: 'usage.csv', sizeBytes: 12 }] });
    const [file] = message.files;
    const content = await fetch(`${slack.address}${file?.downloadPath}`);
    expect(await content.text()).toBe('day,credits\n');
    expect((await client.files.info({ file: file?.id ?? '' })).file).toMatchObject({ mimetype: 'text/csv' });
    expect(await refusal(client.files.info({ file: 'F404' }))).toBe('file_not_found');
  });
});
