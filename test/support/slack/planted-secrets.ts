import fc from 'fast-check';

type Settings = Record<string, unknown>;

/** A secret in the settings, and the settings that hold it. */
export interface Planted {
  settings: Settings;
  secret: string;
  /** Where it was planted, for a failure. */
  place: string;
}

const signs = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((drawn) => drawn.join(''));
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = '0123456789abcdef';

/** What looks like a secret wherever it stands. */
const tokenLike = fc.oneof(
  signs(ALPHANUMERIC, 24).map((text) => `sk-${text}`),
  signs(ALPHANUMERIC, 36).map((text) => `ghp_${text}`),
  signs(ALPHANUMERIC.toUpperCase(), 16).map((text) => `AKIA${text}`),
  signs(ALPHANUMERIC, 30).map((text) => `xoxb-12-${text}`),
  fc
    .tuple(signs(ALPHANUMERIC, 40), signs(ALPHANUMERIC, 30))
    .map(([body, end]) => `eyJhbGciOiJI${body}.eyJ${body}.${end}`),
  signs(`${ALPHANUMERIC}+/`, 64).map((text) => `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`),
  signs(HEX, 40).filter((text) => /[a-f]\d[a-f]|\d[a-f]\d/.test(text)),
  fc.uuid().filter((text) => [...text.matchAll(/\d[a-f]|[a-f]\d/g)].length > 8),
);
/** What nobody would know for a secret but for its place. */
const wordLike = fc
  .array(fc.constantFrom('correct', 'horse', 'battery', 'staple', 'hunter', 'tuesday'), { minLength: 3, maxLength: 5 })
  .chain((words) => fc.nat(999).map((number) => `${words.join(' ')} ${number}`));

const place = (name: string, put: (secret: string) => Settings) => ({ name, put });

/** Places of which the name says that a secret stands there. */
const SECRET_PLACES = [
  place('apiKey', (secret) => ({ customModels: [{ id: 'custom:a', model: 'a', apiKey: secret }] })),
  place('header', (secret) => ({ customModels: [{ id: 'custom:a', extraHeaders: { 'x-team': secret } }] })),
  place('header list', (secret) => ({ customModels: [{ id: 'custom:a', extraHeaders: [secret] }] })),
  place('argument', (secret) => ({ customModels: [{ id: 'custom:a', extraArgs: { deep: { er: [secret] } } }] })),
  place('export', (secret) => ({ customModels: [{ managedCloud: { cloudCredentialExport: secret } }] })),
  place('refresh', (secret) => ({ customModels: [{ managedCloud: { cloudAuthRefresh: secret } }] })),
  place('unknown token', (secret) => ({ telemetry: { export: [{ accessToken: secret }] } })),
  place('unknown passwords', (secret) => ({ passwords: { [secret]: { any: 'thing' } } })),
  place('credentials', (secret) => ({ rollout: { credentials: [{ of: { who: secret } }] } })),
  place('pair', (secret) => ({ environmentList: [{ name: 'API_TOKEN', value: secret }] })),
  place('cookie', (secret) => ({ sandbox: { network: { sessionCookies: [secret] } } })),
  place('__proto__', (secret) => JSON.parse(`{"__proto__": {"client_secret": ${JSON.stringify(secret)}}}`)),
];
/** Places that hold anything. */
const ANY_PLACES = [
  place('unknown member', (secret) => ({ rolloutRing: secret })),
  place('unknown list', (secret) => ({ experiments: [['a', { ring: ['b', secret] }]] })),
  place('a name', (secret) => ({ rollout: { [secret]: true } })),
  place('command', (secret) => ({ commandAllowlist: ['npm test', secret] })),
  place('inside of a command', (secret) => ({ commandDenylist: [`curl -H ${secret} https://a.example`] })),
  place('domain', (secret) => ({ sandbox: { network: { allowedDomains: [secret] } } })),
  place('address', (secret) => ({
    customModels: [{ id: 'custom:a', baseUrl: `https://${encodeURIComponent(secret)}@a.example/v1` }],
  })),
  place('query', (secret) => ({
    customModels: [{ id: 'custom:a', baseUrl: `https://a.example/v1?x=${secret.replaceAll(/\s/g, '')}` }],
  })),
  place('deep', (secret) => ({ rings: nest(60, secret) })),
  place('display name', (secret) => ({ customModels: [{ id: 'custom:a', displayName: secret }] })),
  place('model', (secret) => ({ sessionDefaultSettings: { model: secret } })),
  place('long text', (secret) => ({ notes: `${'word '.repeat(600)}${secret}${' word'.repeat(600)}` })),
  place('plugin', (secret) => ({ enabledPlugins: { 'a@b': { on: true, how: secret } } })),
  place('repository', (secret) => ({ strictKnownMarketplaces: [{ repo: secret }] })),
];

function nest(levels: number, inner: unknown): unknown {
  return Array.from({ length: levels }).reduce<unknown>((value) => ({ ring: value }), inner);
}

/** A secret in any place where one may stand. */
export const planted: fc.Arbitrary<Planted> = fc
  .oneof(
    fc.tuple(fc.oneof(tokenLike, wordLike), fc.constantFrom(...SECRET_PLACES)),
    fc.tuple(tokenLike, fc.constantFrom(...ANY_PLACES)),
  )
  .map(([secret, { name, put }]) => ({ settings: put(secret), secret, place: name }));

/** Half of a secret would be enough to find the rest of it. */
export function holdsHalfOf(text: string, secret: string): boolean {
  const half = Math.ceil(secret.length / 2);
  return Array.from({ length: secret.length - half + 1 }, (_, start) => secret.slice(start, start + half)).some(
    (part) =>
      new Set([part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)])
        .values()
        .some((form) => text.includes(form)),
  );
}
