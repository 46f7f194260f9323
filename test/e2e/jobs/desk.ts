import type { Locator, Page } from 'playwright-core';
import type { Demo } from '../../../src/sandbox/demo/demo.ts';

/** The longest wait for anything that should appear. Only for a job that fails: a busy machine takes many seconds. */
const WAIT_MS = 60_000;

/** No message of these jobs comes later. */
const MAX_HOURS = 6;

type Field = string | readonly string[] | boolean;

/** Drives the sandbox's page as a person does, and counts the steps. Each waits for what it should show. */
export interface Desk {
  page: Page;
  /** Commands, clicks and forms so far. Becoming another person is none. */
  steps(): number;
  be(handle: string): Promise<void>;
  /** Opens `home`, `dm`, or the channel of this name. */
  open(place: string): Promise<void>;
  /** @returns the text of the answer */
  type(command: string, answer: RegExp): Promise<string>;
  /** @returns the text of the form that a command opens */
  openForm(command: string, form: RegExp): Promise<string>;
  /** Clicks the newest element with this name, and confirms if asked. */
  press(name: string): Promise<void>;
  /** Chooses from a menu below a message, in App Home or in a form. */
  choose(name: string, option: string): Promise<void>;
  /** Waits for a message, and returns its text. */
  sees(text: RegExp): Promise<string>;
  /** Waits for the form, and returns its text. */
  seesForm(text: RegExp): Promise<string>;
  seesHome(text: RegExp): Promise<string>;
  fillForm(fields: Readonly<Record<string, Field>>): Promise<void>;
  submit(): Promise<void>;
  close(): Promise<void>;
  /** Asks the simulated assistant in its drawer. @returns the text of the question and its answer */
  askSlackbot(question: string, answer: RegExp): Promise<string>;
  /** Clicks a button of its newest answer, which the next answer replaces. */
  pressInSlackbot(name: string, answer: RegExp): Promise<string>;
  /** Lets hours pass until there is a message, and returns its text. */
  seesLater(text: RegExp): Promise<string>;
}

export function createDesk(page: Page, { slack, isIdle }: Pick<Demo, 'slack' | 'isIdle'>): Desk {
  page.setDefaultTimeout(WAIT_MS);
  let steps = 0;
  let as = '';
  const messages = (text: RegExp) => page.getByTestId('message').filter({ hasText: text });
  const exchange = page.getByTestId('slackbot-exchange').last();
  const modal = page.getByTestId('modal');
  const textOf = async (one: Locator) => {
    await one.waitFor();
    return one.innerText();
  };
  const confirm = page.getByTestId('confirm-yes');
  const untilIdle = async () => {
    while (!(await isIdle())) await page.evaluate('new Promise(requestAnimationFrame)');
  };

  return {
    page,
    steps: () => steps,
    be: async (handle) => {
      as = handle;
      const person = page.getByTestId(`person-${handle}`);
      if (!(await person.isVisible())) await page.getByTestId('other-people').click();
      await person.click();
      await page.locator(`[data-testid=person-${handle}][aria-pressed=true]`).waitFor({ state: 'attached' });
    },
    open: async (place) => {
      steps += 1;
      const since = slack.mark();
      await page.getByTestId(place === 'home' ? 'app-home' : `channel-${place}`).click();
      if (place !== 'home') return;
      // Each opening publishes it again, and what was there before can no longer be pressed.
      await slack.next('home_published', undefined, { since, timeoutMs: WAIT_MS });
      const shown = page.getByTestId('home');
      const fromMs = performance.now();
      for (let isNewest = false; !isNewest;) {
        if (performance.now() - fromMs > WAIT_MS) throw new Error('The page does not show the newest App Home');
        await shown.waitFor();
        await untilIdle();
        const { home } = await slack.control.state({ as });
        isNewest = (await shown.getAttribute('data-hash')) === home?.hash;
      }
    },
    type: async (command, answer) => {
      steps += 1;
      const before = await messages(answer).count();
      await page.getByTestId('composer').fill(command);
      await page.getByTestId('composer').press('Enter');
      return textOf(messages(answer).nth(before));
    },
    openForm: async (command, form) => {
      steps += 1;
      await page.getByTestId('composer').fill(command);
      await page.getByTestId('composer').press('Enter');
      return textOf(modal.filter({ hasText: form }));
    },
    press: async (name) => {
      steps += 1;
      const place = (await modal.count()) > 0 ? modal : page.getByRole('main');
      const button = place.getByRole('button', { name, exact: true }).last();
      await button.waitFor();
      await button.click();
      if (CONFIRMED.has(name)) await confirm.click();
    },
    choose: async (name, option) => {
      steps += 1;
      await choose(page.getByRole('combobox', { name }).last(), option);
    },
    sees: (text) => textOf(messages(text).last()),
    seesForm: (text) => textOf(modal.filter({ hasText: text })),
    seesHome: (text) => textOf(page.getByTestId('home').filter({ hasText: text })),
    fillForm: async (fields) => {
      for (const [label, value] of Object.entries(fields)) await fillIn(modal, label, value);
    },
    submit: async () => {
      steps += 1;
      await page.getByTestId('modal-submit').click();
    },
    close: async () => {
      await page.getByTestId('modal-close-all').click();
      await modal.waitFor({ state: 'detached' });
    },
    askSlackbot: async (question, answer) => {
      steps += 1;
      const field = page.getByTestId('slackbot-question');
      if (!(await field.isVisible())) await page.getByRole('button', { name: 'Slackbot' }).click();
      await field.fill(question);
      await page.getByTestId('slackbot-send').click();
      return textOf(exchange.filter({ hasText: answer }));
    },
    pressInSlackbot: async (name, answer) => {
      steps += 1;
      await exchange.getByRole('button', { name, exact: true }).click();
      return textOf(exchange.filter({ hasText: answer }));
    },
    seesLater: async (text) => {
      for (let hours = 0; hours < MAX_HOURS && (await messages(text).count()) === 0; hours += 1) {
        await page.getByTestId('next-hour').click();
        await untilIdle();
      }
      return textOf(messages(text).last());
    },
  };
}

/** These ask before they do anything. */
const CONFIRMED = new Set(['Activate', 'Withdraw', 'Undo', 'Delete', 'Revoke']);

async function fillIn(modal: Locator, label: string, value: Field): Promise<void> {
  if (typeof value === 'boolean') return modal.getByLabel(label).first().setChecked(value);
  const exact = modal.getByLabel(label, { exact: true });
  await modal.getByLabel(label).first().waitFor();
  const field = ((await exact.count()) > 0 ? exact : modal.getByLabel(label)).first();
  const tag = await field.evaluate((element) => element.tagName);
  if (tag === 'SELECT') return choose(field, value);
  if (tag === 'FIELDSET' || tag === 'DIV') {
    for (const option of [value].flat()) await field.getByLabel(option).check();
    return;
  }
  await field.fill([value].flat().join(''));
}

async function choose(select: Locator, options: string | readonly string[]): Promise<void> {
  await select.waitFor();
  const labels = await select.locator('option').allInnerTexts();
  const chosen = [options].flat().map((option) => labels.find((label) => label.trim().startsWith(option)) ?? option);
  await select.selectOption(chosen.map((label) => ({ label: label.trim() })));
}
