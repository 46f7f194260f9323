import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createScrub } from '../../../src/core/base/privacy/scrub.ts';

const secretText = fc
  .string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' })
  .filter((text) => !/^\s|\s$|^(.)\1*$/.test(text) && !'[secret]'.includes(text));

describe('the scrubber', () => {
  test('recognizes every form of a secret', () => {
    fc.assert(
      fc.property(secretText, fc.string({ maxLength: 5 }), (secret, before) => {
        const forms = [
          secret,
          JSON.stringify(secret),
          JSON.stringify({ body: JSON.stringify({ secret }) }),
          `https://a.example/?key=${encodeURIComponent(secret)}`,
          encodeURI(secret),
        ];
        for (const form of forms) {
          const scrubbed = createScrub([secret])(form);
          expect(scrubbed).toContain('[secret]');
          expect(scrubbed).not.toContain(secret);
        }
        const basic = Buffer.from(`${before}:${secret}`).toString('base64');
        const left = Buffer.from(createScrub([secret])(basic).replaceAll('[secret]', ''), 'base64').toString();
        expect(left).not.toContain(secret);
        expect(createScrub([secret])(basic)).toContain('[secret]');
      }),
    );
  });

  test('recognizes the password of a database alone', () => {
    const scrub = createScrub(['postgres://bot:p%40ss-w0rd@db.example/quartermaster']);
    expect(scrub('password "p@ss-w0rd" refused; sent p%40ss-w0rd')).toBe('password "[secret]" refused; sent [secret]');
  });

  test.each(['p/ss-w0rd', 'p?ss/w0rd', '1234567/w0rd'])(
    'recognizes the password %s of an address that cannot be parsed',
    (password) => {
      const address = `postgres://bot:${password}@db.example:port/quartermaster`;
      expect(URL.canParse(address)).toBe(false);
      expect(createScrub([address])(`password "${password}" refused`)).toBe('password "[secret]" refused');
    },
  );

  test('of a key with a quote or a backslash leaves nothing readable in a line of the log', () => {
    const lines: string[] = [];
    const key = 'ab"cd\\ef-12345';
    createLogger('info', [key], (line) => void lines.push(line)).info({ answer: `wrong key ${key}` }, key);
    expect(lines.join('')).not.toMatch(/ef-12345/);
  });
});
