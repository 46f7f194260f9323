import { createHmac } from 'node:crypto';
import { isValidSlackRequest } from '@slack/bolt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSignatureCheck } from '../../../src/core/slack/receivers/signed-body.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
/** Within the five minutes that Bolt checks too. */
const NOW_MS = 1_531_420_700_000;
const seconds = fc.integer({ min: NOW_MS / 1000 - 300, max: NOW_MS / 1000 });
const body = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary-ascii', maxLength: 2_000 }));
const signed = (secret: string, timestampSeconds: number, text: string) =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestampSeconds}:${text}`).digest('hex')}`;
const isSigned = createSignatureCheck(SECRET);

test('the signature that Slack’s documentation computes for its example is valid', () => {
  const text =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
    '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
    '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
    '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
  expect(isSigned({ timestampSeconds: 1_531_420_618, signature, body: Buffer.from(text) })).toBe(true);
});

test('a signature is valid exactly if Bolt’s own check says so', () => {
  const other = fc.string({ minLength: 1, maxLength: 40 });
  const given = (text: string, timestampSeconds: number) =>
    fc.oneof(
      fc.constant(signed(SECRET, timestampSeconds, text)),
      other.map((secret) => signed(secret, timestampSeconds, text)),
      other.map((more) => signed(SECRET, timestampSeconds, text + more)),
      fc.constant(signed(SECRET, timestampSeconds + 1, text)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `v0=${Buffer.from(bytes).toString('hex')}`),
    );
  const requests = fc.tuple(body, seconds).chain(([text, timestampSeconds]) =>
    fc.record({
      text: fc.constant(text),
      timestampSeconds: fc.constant(timestampSeconds),
      signature: given(text, timestampSeconds),
    }),
  );
  const valid = { yes: 0, no: 0 };
  fc.assert(
    fc.property(requests, ({ text, timestampSeconds, signature }) => {
      const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestampSeconds };
      const expected = isValidSlackRequest({ signingSecret: SECRET, body: text, headers, nowMilliseconds: NOW_MS });
      valid[expected ? 'yes' : 'no'] += 1;
      expect(isSigned({ timestampSeconds, signature, body: Buffer.from(text) })).toBe(expected);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(valid.yes, valid.no)).toBeGreaterThan(50);
});

test('a signature with one other digit, or of another length, is not valid', () => {
  const timestampSeconds = NOW_MS / 1000;
  const signature = signed(SECRET, timestampSeconds, 'text');
  const check = (one: string) => isSigned({ timestampSeconds, signature: one, body: Buffer.from('text') });
  expect(check(signature)).toBe(true);
  for (let place = 3; place < signature.length; place += 1) {
    const digit = signature[place] === '0' ? '1' : '0';
    expect(check(signature.slice(0, place) + digit + signature.slice(place + 1))).toBe(false);
  }
  for (const one of ['', 'v0=', signature.slice(0, -2), `${signature}00`]) expect(check(one)).toBe(false);
});
