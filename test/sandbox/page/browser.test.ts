import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasChromium, launchChromium, visit } from './chromium.ts';
import { startSamplePage, type SamplePage } from './sample-app.ts';
import { hostileText } from './sample-blocks.ts';

/** Writes into the message field and presses Enter. */
async function say(page: Page, text: string): Promise<void> {
  await page.getByTestId('composer').fill(text);
  await page.getByTestId('composer').press('Enter');
}

const lastMessage = (page: Page) => page.getByTestId('message').last();

describe.skipIf(!hasChromium())('the page in a browser', () => {
  let browser: Browser;
  /** One for all tests: what it has loaded once, it need not load again. */
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let sample: SamplePage;

  beforeAll(async () => {
    [browser, sample] = await Promise.all([launchChromium(), startSamplePage()]);
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    ({ page, complaints } = await visit(context, `${sample.address}/?as=morgan&channel=general`));
    await page.getByTestId('dismiss-hints').click();
  });
  afterAll(async () => {
    await browser.close();
    await sample.stop();
  });

  /** Goes somewhere as someone, with nothing open beside it. */
  const enter = async (handle: string, place: string) => {
    const close = page.getByRole('complementary').getByRole('button', { name: 'Close' });
    if ((await close.count()) > 0) await close.click();
    await page.getByTestId(`person-${handle}`).click();
    await page.locator(`[data-testid=person-${handle}][aria-pressed=true]`).waitFor();
    await page.getByTestId(place).click();
    complaints.length = 0;
  };

  test('shows a first visitor what to try, once', async () => {
    const fresh = await browser.newContext();
    onTestFinished(() => fresh.close());
    const { page } = await visit(fresh, sample.address);
    await page.getByTestId('hints').waitFor();
    expect(await page.getByTestId('hints').getByRole('listitem').allTextContents()).toEqual([
      'As Morgan type /show text',
      'Press Next morning',
      'Become Mia',
    ]);
    await page.getByTestId('dismiss-hints').click();
    await page.reload();
    await page.getByTestId('composer').waitFor();
    expect(await page.getByTestId('hints').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?as=morgan&channel=general');
  });

  test('lets one become another person, type a command and see its answer', async () => {
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
    // 08:00 UTC is three in the morning where Mia is.
    expect(text).toContain('Due today at 3:00 AM.');
    expect(text).toContain(':nobody_knows_this:');
    expect(text).toContain(hostileText);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await message.locator('img, script').count()).toBe(0);
    expect(await message.locator('strong em, em strong').textContent()).toBe('both');
    expect(complaints).toEqual([]);
  });

  test('draws charts with their values under the pointer and in a table', async () => {
    await enter('morgan', 'channel-general');
    await say(page, '/show charts');
    const chart = lastMessage(page).getByTestId('chart').first();
    await chart.locator('.band').nth(2).hover();
    expect(await chart.getByTestId('chart-values').innerText()).toMatch(/Wed 4\s+Web\s*130,500\s+Terminal\s*66,000/);
    await chart.getByText('Show the numbers').click();
    expect(await chart.getByRole('row').nth(1).innerText()).toMatch(/Mon 2\s+120,000\s+60,000/);
    expect(await lastMessage(page).locator('.slice').count()).toBe(3);
    await say(page, '/show bars');
    await lastMessage(page).locator('.bar').first().waitFor();
    expect(await lastMessage(page).locator('.bar').count()).toBe(14);
    expect(await lastMessage(page).locator('.area').count()).toBe(1);
  });

  test('sorts and pages a data table', async () => {
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
    await message.getByRole('combobox', { name: 'Pick one' }).fill('3');
    await page.keyboard.press('Enter');
    await expect.poll(answer).toContain('"value":"3"');
    await message.getByRole('button', { name: 'Reject' }).click();
    expect(await page.getByTestId('confirm').innerText()).toContain('Mia will be told.');
    await page.getByTestId('confirm-yes').click();
    await expect.poll(answer).toContain('"action_id":"reject"');
    await message.getByRole('combobox', { name: 'Choose a person' }).fill('nora');
    await page.keyboard.press('Enter');
    await expect.poll(answer).toContain('"selected_user":"U0NORA"');
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Option remove' }).click();
    await expect.poll(answer).toContain('"value":"remove"');
    await message.getByLabel('Option b').check();
    await expect.poll(answer).toContain('"selected_options"');
  });

  test('says what Slack says when the app does not answer', async () => {
    await enter('ada', 'channel-general');
    await say(page, '/show elements');
    await lastMessage(page).getByRole('button', { name: 'No answer' }).click();
    await say(page, '/deaf');
    await expect
      .poll(() => page.getByTestId('message-failure').textContent(), { timeout: 5_000 })
      .toContain('did not respond in 3 seconds (operation_timeout)');
    await expect.poll(() => lastMessage(page).innerText()).toContain('/deaf failed with the error "operation_timeout"');
    await say(page, '/nothing');
    expect(await page.getByTestId('notice').textContent()).toContain('/nothing is not a command here');
  });

  test('fills in a modal by keyboard alone: errors, a second dialog, and back', async () => {
    await enter('morgan', 'channel-general');
    await page.getByTestId('composer').focus();
    await page.keyboard.type('/form');
    await page.keyboard.press('Enter');
    const modal = page.getByTestId('modal');
    await modal.getByLabel('Amount').waitFor();
    const focused = () =>
      page.evaluate('document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText');
    await expect.poll(focused).toBe('Amount');

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
    await page.keyboard.type('do');
    await modal.getByRole('option', { name: 'docs' }).waitFor();
    await page.keyboard.press('Enter');
    await modal.getByLabel('People').focus();
    await page.keyboard.type('mia');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await modal.getByRole('button', { name: 'Remove Mia Chen' }).waitFor();

    await modal.getByLabel('Amount').fill('2000');
    await page.keyboard.press('Enter');
    await modal.getByText('This is more than usual.').waitFor();
    await page.keyboard.press('Escape');
    await modal.getByLabel('Amount').waitFor();
    expect(await modal.getByLabel('Amount').inputValue()).toBe('2000');
    expect(await modal.getByLabel('Repository').inputValue()).toBe('docs');
    await modal.getByTestId('modal-submit').click();
    await modal.getByText('This is more than usual.').waitFor();
    await modal.getByTestId('modal-submit').click();
    await expect.poll(() => page.getByTestId('modal').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer');
    expect(complaints).toEqual([]);
  });

  test('answers in a thread beside the channel, and shows what others write at once', async () => {
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

  test('moves the clock to the next morning of whoever acts', async () => {
    await enter('morgan', 'channel-general');
    await page.getByTestId('next-morning').click();
    await expect.poll(() => page.getByTestId('clock').textContent()).toBe('Mon 2026-03-02 08:00 UTC');
    expect(sample.clock.now()).toEqual(new Date('2026-03-02T08:00:05Z'));
    await page.getByTestId('next-morning').click();
    await expect.poll(() => page.getByTestId('clock').textContent()).toBe('Tue 2026-03-03 08:00 UTC');
    await page.getByTestId('clock-set').click();
    await page.getByTestId('clock-instant').fill('2026-03-29T06:59');
    await page.getByTestId('clock-go').click();
    await expect.poll(() => page.getByTestId('clock').textContent()).toBe('Sun 2026-03-29 06:59 UTC');
    await page.getByTestId('next-hour').click();
    await expect.poll(() => sample.clock.now().toISOString().slice(0, 16)).toBe('2026-03-29T07:59');
  });

  test('holds the platform’s figures back and lets it fail', async () => {
    await enter('morgan', 'channel-general');
    await page.getByTestId('platform').click();
    const drawer = page.getByTestId('platform-drawer');
    await page.getByTestId('platform-day').fill('2026-02-20');
    await page.getByTestId('platform-hold').click();
    await drawer.getByText('Held back: 2026-02-20').waitFor();
    await page.getByTestId('platform-release').click();
    await drawer.getByText('Held back: none').waitFor();
    await page.getByTestId('fault-500').click();
    await expect.poll(() => page.getByTestId('platform-faults').textContent()).toBe('status, 500');
    await page.getByTestId('faults-off').click();
    await expect.poll(() => page.getByTestId('platform-faults').textContent()).toBe('The platform behaves.');
    await page.keyboard.press('Escape');
    expect(await drawer.count()).toBe(0);
  });

  test('fits a window of 360 pixels, with the channels in a drawer', async () => {
    await enter('morgan', 'channel-general');
    await page.setViewportSize({ width: 360, height: 700 });
    onTestFinished(() => page.setViewportSize({ width: 1280, height: 800 }));
    await say(page, '/show charts');
    await lastMessage(page).getByTestId('chart').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.getByTestId('channel-platform').isVisible()).toBe(false);
    await page.getByTestId('sidebar-toggle').click();
    await page.getByTestId('channel-platform').click();
    expect(await page.getByTestId('place').textContent()).toBe('#platform');
    expect(await page.getByTestId('channel-platform').isVisible()).toBe(false);
  });

  test.each(['light', 'dark'] as const)('keeps its texts readable in %s colours', async (colorScheme) => {
    await enter('morgan', 'channel-general');
    await page.emulateMedia({ colorScheme });
    onTestFinished(() => page.emulateMedia({ colorScheme: null }));
    await page.getByTestId('composer').waitFor();
    const read = (name: string) =>
      page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--${name}').trim()`);
    const pairs = [
      ['ink', 'ground'],
      ['ink', 'surface'],
      ['ink', 'accent-soft'],
      ['ink-soft', 'ground'],
      ['ink-soft', 'sunken'],
      ['link', 'surface'],
      ['link', 'info-soft'],
      ['danger', 'danger-soft'],
      ['accent-ink', 'accent'],
    ] as const;
    for (const [text, ground] of pairs) {
      const contrast = contrastOf(String(await read(text)), String(await read(ground)));
      expect({ text, ground, isReadable: contrast >= 4.5 }).toEqual({ text, ground, isReadable: true });
    }
    const isDark = luminanceOf(String(await read('ground'))) < 0.1;
    expect(isDark).toBe(colorScheme === 'dark');
  });

  test('gives everything that can be used a name', async () => {
    await enter('morgan', 'channel-general');
    for (const kind of ['text', 'tables', 'elements']) await say(page, `/show ${kind}`);
    await lastMessage(page).getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByTestId('traffic').click();
    const nameless = /^\s*- '?(?:button|textbox|searchbox|combobox|checkbox|radio|link)(?::|$| \[)/;
    const lines = (await page.locator('body').ariaSnapshot()).split('\n');
    expect(lines.filter((line) => nameless.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(100);
  });

  test('finds back to a sandbox that was restarted', async () => {
    const first = await startSamplePage();
    const { page } = await visit(context, `${first.address}/?as=morgan&channel=general`);
    await say(page, 'Before');
    await lastMessage(page).getByText('Before').waitFor();
    await first.stop();
    await expect.poll(() => page.getByTestId('connection').textContent()).toContain('Reconnecting…');
    const second = await startSamplePage(Number(new URL(first.address).port));
    await expect.poll(() => page.getByTestId('connection').textContent(), { timeout: 6_000 }).toContain('is connected');
    expect(await page.getByTestId('message').count()).toBe(0);
    await second.slack.control.post({ as: 'mia', channel: 'general', text: 'After' });
    await lastMessage(page).getByText('After').waitFor();
    await second.stop();
  });
});

/** The brightness of `#rrggbb`, from 0 to 1, as https://www.w3.org/TR/WCAG21/#dfn-relative-luminance counts it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
