import { expect, test } from 'vitest';
import { callFor, viewsIn } from '../../src/sandbox/slackbot/slackbot-rules.ts';

const VIEWS = viewsIn('A view: summary, models, people or moved. Left out: a summary.');

test.each([
  ['Will I run out of credits?', 'will_i_run_out', {}],
  ['how much did I use last week?', 'usage', { period: 'last week', subject: 'me' }],
  ['models in the last 28 days', 'usage', { period: '28d', side: 'models' }],
  ['what is the limit of mia@acme.example', 'limits', { subject: 'mia@acme.example' }],
  ['usage of @web-team last month', 'usage', { period: 'last month', subject: '@web-team' }],
  ['which repositories are ready?', 'readiness', {}],
  ['why did no digest come yesterday?', 'explain_digest', { period: 'yesterday' }],
])('the simulated Slackbot asks for “%s” with %s', (question, tool, words) => {
  expect(callFor(question, VIEWS)).toEqual({ tool, words });
});
