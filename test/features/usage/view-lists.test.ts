import { expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../../src/features/ask/mcp/tools.ts';
import { VIEWS } from '../../../src/features/usage/usage-command.ts';
import { viewsIn } from '../../../src/sandbox/slackbot/slackbot-rules.ts';
import { readText } from '../../repository/parsing/sources.ts';
import { SIDES } from '../../support/ask/gold.ts';

const schemaOfTool = z.object({ properties: z.object({ side: z.object({ description: z.string() }) }) });

test('the oracle of questions knows each view', () => {
  expect(SIDES).toEqual(new Set(VIEWS));
});

test('a model that reads the description of the tool knows each view', () => {
  const usage = TOOLS.find(({ name }) => name === 'usage');
  const { properties } = schemaOfTool.parse(usage?.arguments.toJSONSchema());
  expect(viewsIn(properties.side.description)).toEqual(VIEWS);
});

test('the page of the command names each view', () => {
  const page = readText('docs/commands/usage.md');
  expect(
    VIEWS.filter((view) => view !== 'summary' && !page.includes(`\`${view}\``) && !page.includes(`/usage ${view}`)),
  ).toEqual([]);
});
