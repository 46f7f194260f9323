import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasChromium, visit } from '../../support/chromium.ts';
import { lastMessage, say, useOpenPage } from './open-page.ts';
import { startSamplePage } from './sample-app.ts';

describe.skipIf(!hasChromium())('the page around the channel', () => {
  const opened = useOpenPage();

  test('shows a first visitor some commands to try, once', async () => {
    const { browser, sample } = opened();
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

  test('moves the clock to the next morning in the user’s time zone', async () => {
    const { page, sample, enter } = opened();
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

  test('holds back the platform’s figures and lets the platform fail', async () => {
    const { page, enter } = opened();
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
    const { page, enter } = opened();
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
    const { page, enter } = opened();
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

  test('gives every control a name', async () => {
    const { page, enter } = opened();
    await enter('morgan', 'channel-general');
    for (const kind of ['text', 'tables', 'elements']) await say(page, `/show ${kind}`);
    await lastMessage(page).getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByTestId('traffic').click();
    const nameless = /^\s*- '?(?:button|textbox|searchbox|combobox|checkbox|radio|link)(?::|$| \[)/;
    const lines = (await page.locator('body').ariaSnapshot()).split('\n');
    expect(lines.filter((line) => nameless.test(line))).toEqual([]);
    expect(lines.length).toBeGreaterThan(100);
  });

  test('keeps what happens while it reads the state again', async () => {
    const { page, sample, enter } = opened();
    await enter('morgan', 'channel-general');
    const { isRead, answer } = await holdNextRead(page);
    await sample.slack.control.addChannel({ name: 'a-new-one' });
    await isRead;
    await sample.slack.control.post({ as: 'mia', channel: 'general', text: 'During the read' });
    await lastMessage(page).getByText('During the read').waitFor();
    answer();
    await page.getByTestId('channel-a-new-one').waitFor();
    expect(await lastMessage(page).innerText()).toContain('During the read');
  });

  test('reads the state once more after a change that a read in progress missed', async () => {
    const { context, page, sample, enter } = opened();
    await enter('morgan', 'channel-general');
    const browserEvents = await context.newCDPSession(page);
    onTestFinished(() => browserEvents.detach());
    await browserEvents.send('Network.enable');
    const isToldOfLater = new Promise<void>((resolve) => {
      browserEvents.on('Network.eventSourceMessageReceived', ({ data }) => {
        if (data.includes('a-later-one')) resolve();
      });
    });
    const { isRead, answer } = await holdNextRead(page);
    await sample.slack.control.addChannel({ name: 'an-earlier-one' });
    await isRead;
    await sample.slack.control.addChannel({ name: 'a-later-one' });
    await isToldOfLater;
    answer();
    await page.getByTestId('channel-a-later-one').waitFor();
    expect(await page.getByTestId('channel-an-earlier-one').isVisible()).toBe(true);
  });

  test('keeps the newest App Home if the answer to opening it is older', async () => {
    const { page, enter } = opened();
    await enter('ada', 'app-home');
    const home = page.getByTestId('home');
    await home.getByText('Your digests').waitFor();
    const before = await home.getAttribute('data-hash');
    await enter('ada', 'channel-general');
    await page.route('**/control/openHome', async (route) => {
      const response = await route.fetch();
      const answer = (await response.text()).replaceAll(/"hash":"[^"]*"/g, '"hash":"older"');
      await expect.poll(() => home.getAttribute('data-hash')).not.toBe(before);
      await route.fulfill({ response, body: answer });
    });
    const answered = page.waitForResponse('**/control/openHome');
    await page.getByTestId('app-home').click();
    await (await answered).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    const newest = await home.getAttribute('data-hash');
    expect(newest).not.toBe('older');
    expect(newest).not.toBe(before);
  });

  test.each(['/sandbox/page', '/control/state'])(
    'opens after failed reads of %s, as the person of its address',
    async (path) => {
      const { browser, sample } = opened();
      const fresh = await browser.newContext();
      onTestFinished(() => fresh.close());
      const page = await fresh.newPage();
      const isFirstReasonSeen = Promise.withResolvers<void>();
      const isRepaired = Promise.withResolvers<void>();
      const message = 'The disk is full';
      let reads = 0;
      await page.route(
        (url) => url.pathname === path,
        async (route) => {
          reads += 1;
          if (reads === 1) return route.abort();
          await isFirstReasonSeen.promise;
          if (reads > 2) await isRepaired.promise;
          if (reads > 2) return route.continue();
          return route.fulfill({ status: 500, json: { ok: false, error: 'internal_error', message } });
        },
      );
      await page.goto(`${sample.address}/?as=mia&channel=general`);
      const reason = page.getByRole('alert');
      await reason.filter({ hasText: 'the sandbox did not answer' }).waitFor();
      isFirstReasonSeen.resolve();
      await reason.filter({ hasText: message }).waitFor();
      isRepaired.resolve();
      await page.getByTestId('composer').waitFor();
      expect(await reason.count()).toBe(0);
      expect(new URL(page.url()).search).toBe('?as=mia&channel=general');
    },
  );

  test('shows a failure that comes before its first frame', async () => {
    const { browser, sample } = opened();
    const fresh = await browser.newContext();
    onTestFinished(() => fresh.close());
    const page = await fresh.newPage();
    // The second read never ends: its failure would be shown, too.
    await page.addInitScript(`{
      const answers = [Promise.reject(new TypeError('The network is down')), new Promise(() => undefined)];
      const original = window.fetch;
      window.fetch = (url, ...rest) => (url === '/sandbox/page' ? answers.shift() : original(url, ...rest));
    }`);
    await page.goto(`${sample.address}/?as=mia&channel=general`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('the sandbox did not answer (The network is down)');
  });

  test('reconnects to a restarted sandbox', async () => {
    const { context } = opened();
    const first = await startSamplePage();
    const { page } = await visit(context, `${first.address}/?as=morgan&channel=general`);
    await say(page, 'Before');
    await lastMessage(page).getByText('Before').waitFor();
    await first.stop();
    await expect.poll(() => page.getByTestId('connection').textContent()).toContain('Reconnecting…');
    const second = await startSamplePage(Number(new URL(first.address).port));
    await expect.poll(() => page.getByTestId('connection').textContent()).toContain('is connected');
    expect(await page.getByTestId('message').count()).toBe(0);
    await second.slack.control.post({ as: 'mia', channel: 'general', text: 'After' });
    await lastMessage(page).getByText('After').waitFor();
    await second.stop();
  });
});

/**
 * Holds the answer to the page's next read of the state back until `answer` is called. Later reads are answered at once. The
 * route stays until the test ends: to take it away is a request to the browser, which must not race with those of the page.
 */
async function holdNextRead(page: Page): Promise<{ isRead: Promise<void>; answer: () => void }> {
  const { promise: isRead, resolve: haveRead } = Promise.withResolvers<void>();
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route('**/control/state?**', async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    haveRead();
    await mayAnswer;
    await route.fulfill({ response });
  });
  onTestFinished(() => page.unroute('**/control/state?**'));
  return { isRead, answer };
}

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
