import type { Browser } from 'playwright-core';

/** @throws if the browser draws an emoji as an empty box, as it draws a character that no font has */
export async function requireEmoji(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  try {
    const hasEmoji = await page.evaluate<boolean>(`(() => {
      const drawn = (text) => {
        const context = Object.assign(document.createElement('canvas'), { width: 40, height: 40 }).getContext('2d');
        context.font = '24px sans-serif';
        context.fillText(text, 4, 30);
        return context.canvas.toDataURL();
      };
      return drawn('⏳') !== drawn('\\u{1F8FE}');
    })()`);
    if (!hasEmoji) throw new Error('Install a font with emoji, such as Debian’s fonts-noto-color-emoji');
  } finally {
    await page.close();
  }
}
