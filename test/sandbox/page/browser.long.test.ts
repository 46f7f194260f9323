import { describe, expect, onTestFinished, test } from 'vitest';
import type { Snapshot } from '../../../src/sandbox/slack/index.ts';
import { hasChromium, visit } from '../../support/chromium.ts';
import { lastMessage, say, useOpenPage } from './open-page.ts';
import { hostileText } from './sample-blocks.ts';

describe.skipIf(!hasChromium())('messages, elements and forms in a browser', () => {
  const opened = useOpenPage();

  test('lets the visitor become another person, type a command and see its answer', async () => {
    const { page, complaints, enter } = opened();
    await enter('mia', 'channel-agent-usage');
    await page.getByTestId('composer').fill('/sh');
    expect(await page.getByTestId('completions').getByRole('option').allTextContents()).toEqual([
      '/show text | charts | tables | elementsShows sample blocks',
    ]);
    await page.getByTestId('composer').press('Tab');
    expect(await page.getByTestId('usage-hint').textContent()).toContain('text | charts');
    await page.keyboard.type('text');
    await page.keyboard.press('Enter');

    const message = lastMessage(page);
    await message.getByText('Weekly report').waitFor();
    const text = await message.innerText();
    expect(text).toContain('Only visible to you');
    expect(text).toContain('snake_case_name and 2*3*4 stay.');
    expect(text).toContain('Hello @Mia Chen, see #agent-usage and @platform-leads, @here; the page.');
    // 08:00 UTC is three in the morning in Mia's zone.
    expect(text).toContain('Due today at 3:00 AM.');
    expect(text).toContain(':nobody_knows_this:');
    expect(text).toContain(hostileText);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await message.locator('img, script').count()).toBe(0);
    expect(await message.locator('strong em, em strong').textContent()).toBe('both');
    expect(complaints).toEqual([]);
  });

  test('draws charts with their values under the pointer and in a table', async () => {
    const { page, enter } = opened();
    await enter('morgan', 'channel-general');
    await say(page, '/show charts');
    const chart = lastMessage(page).getByTestId('chart').first();
    await chart.locator('.band').nth(2).hover();
    expect(await chart.getByTestId('chart-values').innerText()).toMatch(/Wed 4\s+Web\s*130,500\s+Terminal\s*66,000/);
    await chart.getByText('Show the numbers').click();
    expect(await chart.getByRole('row').nth(1).innerText()).toMatch(/Mon 2\s+120,000\s+60,000/);
    await say(page, '/show bars');
    await lastMessage(page).locator('.bar').first().waitFor();
    expect(await lastMessage(page).locator('.bar').count()).toBe(14);
    expect(await lastMessage(page).locator('.area').count()).toBe(1);
  });

  test('names a block and an element that it cannot show', async () => {
    const { context, sample } = opened();
    const { channels } = await sample.slack.control.state({ as: 'mia' });
    const id = channels.find(({ name }) => name === 'general')?.id;
    const blocks = [
      { type: 'video', block_id: 'v', alt_text: 'A tour' },
      { type: 'actions', block_id: 'a', elements: [{ type: 'overflow', action_id: 'o' }] },
      { type: 'rich_text', block_id: 'r', elements: [{ type: 'rich_text_list', elements: [] }] },
    ];
    await sample.slack.control.post({ as: 'mia', channel: 'general', text: 'Odd' });
    // Slack's own rules refuse such blocks, so they are inserted into the data of the page.
    await context.route('**/control/state?*', async (route) => {
      const response = await route.fetch();
      const answer: { result: Snapshot } = await response.json();
      const messages = answer.result.channels.find((channel) => channel.id === id)?.messages ?? [];
      Object.assign(messages.at(-1) ?? {}, { blocks });
      await route.fulfill({ response, json: answer });
    });
    onTestFinished(() => context.unroute('**/control/state?*'));
    const { page } = await visit(context, `${sample.address}/?as=mia&channel=general`);
    onTestFinished(() => page.close());
    await lastMessage(page).getByText('cannot be shown: video').waitFor();
    expect(await lastMessage(page).getByText('cannot be shown:').allInnerTexts()).toEqual([
      'cannot be shown: video',
      'cannot be shown: overflow',
      'cannot be shown: rich_text_list',
    ]);
  });

  test('sorts and pages a data table', async () => {
    const { page, enter } = opened();
    await enter('morgan', 'channel-general');
    await say(page, '/show tables');
    const table = lastMessage(page).getByTestId('data-table');
    const firstColumn = () => table.locator('tbody th').allInnerTexts();
    await table.waitFor();
    expect(await firstColumn()).toEqual(['Ada', 'Mia', 'Max']);
    await table.getByRole('button', { name: 'Credits' }).click();
    expect(await firstColumn()).toEqual(['Gus', 'Eve', 'Max']);
    expect(await table.getByRole('columnheader', { name: 'Credits' }).getAttribute('aria-sort')).toBe('ascending');
    await table.getByRole('button', { name: 'Credits' }).click();
    await table.getByRole('button', { name: 'Next' }).click();
    expect(await firstColumn()).toEqual(['Morgan', 'Max', 'Eve']);
    expect(await table.getByRole('status').textContent()).toBe('Page 2 of 3 · 7 rows');
  });

  test('clicks, chooses and confirms', async () => {
    const { page, enter } = opened();
    await enter('morgan', 'channel-general');
    const answer = () => lastMessage(page).innerText();
    await say(page, '/show elements');
    const message = page
      .getByTestId('message')
      .filter({ has: page.getByRole('button', { name: 'Approve' }) })
      .last();
    await message.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(answer).toContain('"action_id":"approve"');
    await message.getByRole('button', { name: 'Reject' }).click();
    await page.getByTestId('confirm-no').click();
    await message.getByRole('combobox', { name: 'Pick one' }).selectOption('3');
    await expect.poll(answer).toContain('"value":"3"');
    const forAll = message.getByRole('combobox', { name: 'Pick for everybody' });
    await forAll.selectOption('4');
    await page.getByTestId('confirm-no').click();
    await expect.poll(() => forAll.inputValue()).toBe('');
    await forAll.selectOption('5');
    await page.getByTestId('confirm-yes').click();
    await expect.poll(answer).toContain('"value":"5"');
    await message.getByRole('button', { name: 'Reject' }).click();
    expect(await page.getByTestId('confirm').innerText()).toContain('Mia gets a message.');
    await page.getByTestId('confirm-yes').click();
    await expect.poll(answer).toContain('"action_id":"reject"');
  });

  test('shows Slack’s message if the app does not answer', async () => {
    const { page, enter } = opened();
    await enter('ada', 'channel-general');
    await say(page, '/show elements');
    await lastMessage(page).getByRole('button', { name: 'No answer' }).click();
    await say(page, '/deaf');
    await expect
      .poll(() => page.getByTestId('message-failure').textContent())
      .toContain('did not respond in 3 seconds (operation_timeout)');
    await expect.poll(() => lastMessage(page).innerText()).toContain('/deaf failed with the error "operation_timeout"');
    await say(page, '/nothing');
    expect(await page.getByTestId('notice').textContent()).toContain('/nothing is not a command here');
  });

  test('fills in a modal by keyboard alone: errors, a second dialog, and back', async () => {
    const { page, complaints, enter } = opened();
    await enter('morgan', 'channel-general');
    await page.getByTestId('composer').focus();
    await page.keyboard.type('/form');
    await page.keyboard.press('Enter');
    const modal = page.getByTestId('modal');
    await modal.getByLabel('Amount').waitFor();
    const focused = () =>
      page.evaluate('document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText');
    await expect.poll(focused).toBe('Amount');
    const chosenPeople = () => modal.getByLabel('People').locator('option:checked').allInnerTexts();

    await page.keyboard.press('Enter');
    expect(await page.getByTestId('input-error').textContent()).toBe('Please complete this required field.');
    await page.keyboard.type('500');
    expect(await page.getByTestId('input-error').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('input-error').textContent()).toBe('At most 100 without a reason');
    await expect.poll(focused).toBe('Amount');

    // The focus stays inside: forty steps never leave the dialog.
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('Tab');
    expect(
      await page.evaluate('document.activeElement === document.body || !!document.activeElement.closest("dialog")'),
    ).toBe(true);
    await modal.getByLabel('Repository').focus();
    await page.keyboard.type('Option d');
    await expect.poll(() => modal.getByLabel('Repository').inputValue()).toBe('docs');
    await modal.getByLabel('People').focus();
    await page.keyboard.type('Mia');
    await expect.poll(chosenPeople).toEqual(['Mia Chen (@mia)']);

    await modal.getByLabel('Amount').fill('2000');
    await page.keyboard.press('Enter');
    await modal.getByText('This is more than usual.').waitFor();
    await page.keyboard.press('Escape');
    await modal.getByLabel('Amount').waitFor();
    expect(await modal.getByLabel('Amount').inputValue()).toBe('2000');
    expect(await modal.getByLabel('Repository').inputValue()).toBe('docs');
    expect(await chosenPeople()).toEqual(['Mia Chen (@mia)']);
    await modal.getByTestId('modal-submit').click();
    await modal.getByText('This is more than usual.').waitFor();
    await modal.getByTestId('modal-submit').click();
    await expect.poll(() => page.getByTestId('modal').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    expect(complaints).toEqual([]);
  });

  test('answers in a thread beside the channel, and shows messages of others at once', async () => {
    const { page, sample, enter } = opened();
    await enter('morgan', 'channel-platform');
    await say(page, 'Who looks at this? *Soon*, @mia');
    await lastMessage(page).getByTestId('reply').click();
    await page.getByTestId('thread-composer').fill('I do');
    await page.getByTestId('thread-composer').press('Enter');
    await expect.poll(() => page.getByTestId('open-thread').textContent()).toContain('1 reply');
    const ts = (await page.getByTestId('messages').getByTestId('message').last().getAttribute('data-ts')) ?? '';
    await sample.slack.control.post({ as: 'mia', channel: 'platform', text: 'Me too', threadTs: ts });
    await sample.slack.control.post({ as: 'mia', channel: 'general', text: 'Elsewhere' });
    await expect.poll(() => page.getByTestId('thread-messages').getByTestId('message').count()).toBe(3);
    await expect
      .poll(() => page.getByTestId('channel-general').getAttribute('aria-label'))
      .toBe('channel general, 1 new');
    expect(await page.getByTestId('announcement').textContent()).toBe('Mia Chen in general: Elsewhere');
    await page.getByTestId('thread-composer').press('Escape');
    expect(await page.getByTestId('thread').count()).toBe(0);
  });

  test('shows App Home, files, metadata and the traffic', async () => {
    const { page, sample, enter } = opened();
    await enter('ada', 'app-home');
    await page.getByTestId('home').getByText('Your digests').waitFor();
    await page.getByTestId('home').getByRole('button', { name: 'Pause' }).click();
    await sample.slack.control.upload({
      as: 'ada',
      channel: 'agent-usage',
      name: 'usage.csv',
      contentBase64: Buffer.from('day,credits').toString('base64'),
      mimeType: 'text/csv',
    });
    await page.getByTestId('channel-agent-usage').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      lastMessage(page).getByTestId('file').click(),
    ]);
    expect(download.suggestedFilename()).toBe('usage.csv');
    await lastMessage(page).getByTestId('message-source').click();
    await expect.poll(() => lastMessage(page).locator('.source').textContent()).toContain('"metadata"');
    await page.getByTestId('traffic').click();
    const published = page.getByTestId('traffic-entry').filter({ hasText: 'views.publish' }).first();
    await published.click();
    expect(await published.locator('.source').first().textContent()).toContain('Your digests');
  });
});
