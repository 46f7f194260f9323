import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

export interface SignedText {
  timestampSeconds: number;
  /** `v0=` and 64 hexadecimal digits. */
  signature: string;
  body: Buffer;
}

export type SignatureCheck = (signed: SignedText) => boolean;

/**
 * Compares in constant time: https://docs.slack.dev/authentication/verifying-requests-from-slack. Bolt's own check
 * compares by two more HMACs under a random key, which took a fifth of the time of fifty acknowledgements.
 *
 * @example createSignatureCheck(secret)({ timestampSeconds: 1_531_420_618, signature: 'v0=a2114d…', body })
 */
export function createSignatureCheck(signingSecret: string): SignatureCheck {
  const key = createSecretKey(signingSecret, 'utf8');
  return ({ timestampSeconds, signature, body }) => {
    const expected = createHmac('sha256', key).update(`v0:${timestampSeconds}:`).update(body).digest();
    const given = Buffer.from(signature.slice('v0='.length), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
