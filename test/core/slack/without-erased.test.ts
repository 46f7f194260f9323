import { expect, test } from 'vitest';
import { createReplace } from '../../../src/core/base/privacy/replace-identifiers.ts';
import { fileWithoutErased, withoutErased } from '../../../src/core/slack/outbound/without-erased.ts';

const MIA = { email: ['mia@acme.example'], slackId: ['U0MIA'], userId: ['u-mia'], name: ['Mia Chen'] };
const replace = createReplace('k7m2', MIA);
const body = {
  channel: 'U0MIA',
  text: '<@U0MIA> asked',
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Mia Chen, mia@acme.example: 900' } }],
};

test('an answer that was begun before an erasure leaves without the person, for the same address', () => {
  const door = withoutErased(
    (sent) => ({ ...sent }),
    () => replace,
  );
  const sent = door(body);
  expect(sent['channel']).toBe('U0MIA');
  expect(JSON.stringify([sent['text'], sent['blocks']])).not.toMatch(/U0MIA|Mia Chen|mia@acme/);
});

test('a file that was begun before leaves without them too; one that is no text stays as it is', () => {
  expect(fileWithoutErased(Buffer.from('user,credits\nmia@acme.example,900'), replace).toString()).not.toContain(
    'mia@',
  );
  const image = Buffer.from([0xff, 0xd8, 0xff]);
  expect(fileWithoutErased(image, replace)).toBe(image);
});

test('while no erasure is under way nothing is looked at', () => {
  const door = withoutErased(
    () => body,
    () => undefined,
  );
  expect(door({})).toBe(body);
});
