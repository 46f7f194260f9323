import { expect, test } from 'vitest';
import { checkBlocks, checkView } from '../../../../src/core/slack/blocks/rules/index.ts';
import { RECORDED_REFUSALS, type RecordedRefusal } from './recorded-refusals.ts';

const violationsOf = ({ sent }: RecordedRefusal) =>
  'view' in sent ? checkView(sent.view) : checkBlocks(sent.blocks, sent.surface);

test.each(RECORDED_REFUSALS)('$what is refused where Slack refused it: $address', (refusal) => {
  const violations = violationsOf(refusal);
  expect(violations.map(({ pointer }) => pointer)).toContain(refusal.pointer);
});

test.each(RECORDED_REFUSALS.filter(({ said }) => said !== undefined))(
  '$what is refused in Slack’s words',
  (refusal) => {
    const there = violationsOf(refusal).filter(({ pointer }) => pointer === refusal.pointer);
    expect(there.map(({ message }) => message)).toContain(refusal.said);
  },
);
