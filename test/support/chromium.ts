import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether there is a browser to test with; prints a line if not. */
export function hasChromium(): boolean {
  if (existsSync(executablePath)) return true;
  process.stderr.write(
    `SKIPPED: the tests of the page need Chromium; there is none at ${executablePath} (CHROMIUM_PATH)\n`,
  );
  return false;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags });
}

export interface Visit {
  page: Page;
  /** The errors of the browser: of scripts, of the security policy, and for requests to other hosts. */
  complaints: string[];
}

/** Only for tests that hang: on a busy machine it takes many seconds to draw the gallery. */
const PAGE_TIMEOUT_MS = 60_000;

/** Opens an address in a tab of a context. */
export async function visit(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== new URL(address).origin) complaints.push(`asked ${url.href}`);
  });
  await page.goto(address);
  return { page, complaints };
}
