import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

const TOKEN_SHAPES = [
  /xox[abeoprs]-[A-Za-z0-9-]+/g,
  /xapp-[A-Za-z0-9-]+/g,
  /xwfp-[A-Za-z0-9-]+/g,
  /Bearer\s+[^\s"',]+/gi,
  /(https?:\/\/|postgres(?:ql)?:\/\/)[^\s/@:"]+:[^\s/@"]+@/gi,
];

/**
 * Replaces what must not reach a log: the given secrets wherever they stand, and anything shaped like a Slack token,
 * a bearer header or a password in an address.
 *
 * @example makeScrubber(['s3cret'])('key s3cret, xoxb-1-2') // 'key [secret], [secret]'
 */
export function makeScrubber(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 6);
  return (text) => {
    let scrubbed = text;
    for (const secret of known) scrubbed = scrubbed.replaceAll(secret, '[secret]');
    for (const shape of TOKEN_SHAPES) {
      scrubbed = scrubbed.replace(shape, (match) =>
        match.includes('://') ? `${match.split('://')[0]}://[secret]@` : '[secret]',
      );
    }
    return scrubbed;
  };
}

/**
 * The program's log: JSON lines on standard output. pino's own redaction knows paths, not tokens inside messages and
 * stack traces, so each finished line goes through the scrubber.
 *
 * @param secrets values that are replaced wherever they stand
 * @param write where a line goes; standard output unless a test wants it
 */
export function createLogger(
  level: string,
  secrets: readonly (string | undefined)[],
  write: (line: string) => void = (line) => void process.stdout.write(line),
): Logger {
  const scrub = makeScrubber(secrets);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(scrub(line)) },
  );
}
