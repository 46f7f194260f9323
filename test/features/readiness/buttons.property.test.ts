import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutgoingMessage } from '../../../src/core/outbox/poster.ts';
import type { ReadinessReport } from '../../../src/core/platform/endpoints/readiness.ts';
import { showByKey, showOverview, showRepository } from '../../../src/features/readiness/readiness-handlers.ts';
import { createReportsFold } from '../../../src/features/readiness/reports/reports-fold.ts';
import { showRequestOn } from '../../../src/features/readiness/readiness-buttons.ts';
import { parseReadiness } from '../../../src/features/readiness/readiness-command.ts';
import { parseComputers } from '../../../src/features/computers/computers-command.ts';
import { splitWords } from '../../../src/core/slack/commands/command-text.ts';
import { RUN_COMMAND_ACTION } from '../../../src/core/slack/blocks/messages.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const NOW = new Date('2026-03-02T07:00:00Z');

function reportOf(repoUrl: string, index: number): ReadinessReport {
  const report = { readme: { numerator: 0, denominator: index + 1, rationale: '' } };
  return { reportId: `r${index}`, createdAt: NOW.getTime() - index, repoUrl, apps: {}, report };
}

/** Returns what a user is shown of repositories with these addresses. */
async function shown(
  repoUrls: readonly string[],
  show: (parts: Parameters<typeof showByKey>[0], interaction: Parameters<typeof showOverview>[2]) => Promise<void>,
): Promise<OutgoingMessage> {
  const fold = createReportsFold();
  for (const [index, url] of repoUrls.entries()) fold.add(reportOf(url, index));
  const reading = { repositories: fold.repositories(), readAt: NOW, reports: repoUrls.length, unreadable: 0 };
  const readings = {
    all: () => Promise.resolve(reading),
    byId: () => Promise.resolve({ ...reading, repositories: [] }),
  };
  const messages: OutgoingMessage[] = [];
  const keep = (one: OutgoingMessage) => Promise.resolve(void messages.push(one));
  const reply = { progress: () => {}, end: () => {}, show: keep, add: keep, share: keep };
  await show({ readings, clock: { now: () => NOW } }, { person: { role: 'manager' }, reply });
  const [message] = messages;
  if (!message) throw new Error('Nothing was shown');
  return message;
}

interface Button {
  action_id: string;
  value: string;
}

function buttonsIn({ blocks }: OutgoingMessage): Button[] {
  const rows: { elements?: Button[] }[] = JSON.parse(JSON.stringify(blocks));
  return rows.flatMap(({ elements }) => elements ?? []).filter(({ value }) => value);
}

const commandsIn = (message: OutgoingMessage) =>
  buttonsIn(message)
    .filter(({ action_id: id }) => id === RUN_COMMAND_ACTION)
    .map(({ value }): { command: string; text: string } => JSON.parse(value));

const addresses = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.constantFrom('unwatch', 'watch', 'csv', 'list', 'filter x', 'watch <#C1>', '"unwatch', 'https://h/acme/web'),
);

const MEANINGS: Readonly<Record<string, string>> = {
  '/readiness': 'overview',
  '/computers': 'create',
  '/digest': 'new weekly readiness',
};

function meaningOf(command: string, text: string) {
  if (command === '/digest') return { kind: 'run', does: text };
  const parsed = command === '/readiness' ? parseReadiness(splitWords(text)) : parseComputers(splitWords(text));
  return { kind: parsed.kind, does: parsed.kind === 'run' ? parsed.request.kind : undefined };
}

test('no button of readiness runs the name of a repository as a command', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(addresses, { minLength: 1, maxLength: 4 }), addresses, async (urls, word) => {
      const messages = [
        await shown(urls, (parts, interaction) => showOverview(parts, { filter: '', offset: 0 }, interaction)),
        await shown(urls, (parts, interaction) => showRepository(parts, word, interaction)),
      ];
      for (const { command, text } of messages.flatMap(commandsIn)) {
        expect(meaningOf(command, text)).toEqual({ kind: 'run', does: MEANINGS[command] });
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('a repository called “unwatch” is shown by its button, which ends no watch', async () => {
  const overview = await shown(['unwatch'], (parts, interaction) =>
    showOverview(parts, { filter: '', offset: 0 }, interaction),
  );
  const [look] = buttonsIn(overview);
  expect(look?.action_id).toBe('readiness_show');
  const detail = await shown(['unwatch'], (parts, interaction) =>
    showByKey(parts, showRequestOn(look?.value ?? ''), interaction),
  );
  expect(mrkdwnOf(detail.text)).toContain('Readiness of unwatch');
});
