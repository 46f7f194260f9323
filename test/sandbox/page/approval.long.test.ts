import { expect, test } from 'vitest';
import { ANIMATED_TEXTS, ANIMATIONS, PAGE, playAnimation } from '../recording/record-approval.ts';
import { readText } from '../../repository/parsing/sources.ts';
import { hasChromium, launchChromium } from '../../support/chromium.ts';

test.skipIf(!hasChromium()).each(ANIMATIONS)(
  '%s shows what the bot says; otherwise, take it again with npm run record',
  async (name) => {
    const browser = await launchChromium();
    try {
      const texts = await playAnimation(name, await browser.newPage(PAGE), () => Promise.resolve());
      expect(texts).toEqual(JSON.parse(readText(ANIMATED_TEXTS))[name]);
    } finally {
      await browser.close();
    }
  },
);
