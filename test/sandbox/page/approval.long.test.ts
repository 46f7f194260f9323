import { expect, test } from 'vitest';
import { ANIMATED_TEXTS, PAGE, playApproval } from '../recording/record-approval.ts';
import { readText } from '../../repository/parsing/sources.ts';
import { hasChromium, launchChromium } from '../../support/chromium.ts';

test.skipIf(!hasChromium())(
  'the animated picture of the README shows what the bot says; otherwise, take it again with npm run record',
  async () => {
    const browser = await launchChromium();
    try {
      const texts = await playApproval(await browser.newPage(PAGE), () => Promise.resolve());
      expect(texts).toEqual(JSON.parse(readText(ANIMATED_TEXTS)));
    } finally {
      await browser.close();
    }
  },
);
