import fc from 'fast-check';

type Settings = Record<string, unknown>;

/** A secret in the settings, and the settings that hold it. */
export interface Planted {
  settings: Settings;
  secret: string;
  /** The planted place, for the message of a failure. */
  place: string;
}

const signs = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((drawn) => drawn.join(''));
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = '0123456789abcdef';

/** Strings that look like a secret at any place. */
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
/** Strings that are recognizable as a secret only by their place. */
const wordLike = fc
  .array(fc.constantFrom('correct', 'horse', 'battery', 'staple', 'hunter', 'tuesday'), { minLength: 3, maxLength: 5 })
  .chain((words) => fc.nat(999).map((number) => `${words.join(' ')} ${number}`));

const place = (name: string, put: (secret: string) => Settings) => ({ name, put });

/** Places whose name shows that they hold a secret. */
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
/** Places with any content. */
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

/** Configurations of servers, programs and other undocumented parts, which may contain a password of any kind. */
export const CONFIGURATIONS: readonly ((marker: string) => Settings)[] = [
  (it) => server({ args: ['--token', it] }),
  (it) => server({ args: ['--token', it, '--db', 'admin'] }),
  (it) => server({ args: ['--db', 'admin', it] }),
  (it) => server({ args: ['-p', it] }),
  (it) => server({ args: [`-p${it}`] }),
  (it) => server({ args: ['--pass', it] }),
  (it) => server({ args: [`--pass=${it}`] }),
  (it) => server({ args: ['--header', `X-Api-Id: ${it}`] }),
  (it) => server({ args: ['run', '-e', `DB_PASS=${it}`, 'image'] }),
  (it) => server({ args: { db: it } }),
  (it) => server({ args: [['DB_PASS', it]] }),
  (it) => server({ command: `docker run -e DB_PASS=${it} img --pass other` }),
  (it) => server({ command: `docker run img --pass ${it}` }),
  (it) => server({ command: `docker run img --pass '${it} ${it}'` }),
  (it) => server({ command: `mysql -uroot -p${it} shop` }),
  (it) => server({ command: `PIN=${it} ./start.sh` }),
  (it) => server({ command: `./start.sh ${it}` }),
  (it) => server({ command: 'psql', url: `postgres://root:${it}@db.acme.example/shop` }),
  (it) => server({ dsn: `root:${it}@tcp(db)/shop` }),
  (it) => server({ connection: `root:${it}@tcp(db:3306)/shop` }),
  (it) => server({ url: `https://mcp.acme.example/sse?k=${it}` }),
  (it) => server({ url: `https://mcp.acme.example/sse?access=${it}&x=1` }),
  (it) => server({ url: `https://mcp.acme.example/hooks/${it}` }),
  (it) => server({ url: `https://mcp.acme.example/sse#${it}` }),
  (it) => server({ env: { FOO: it } }),
  (it) => server({ envVars: { FOO: it } }),
  (it) => server({ queryParams: { k: it } }),
  (it) => server({ options: { deep: [{ er: it }] } }),
  (it) => ({ mcpPolicy: { vars: { FOO: it } } }),
  (it) => ({ mcpPolicy: { bindPw: it } }),
  (it) => ({ mcpPolicy: { bind_pw: it, pw: it, kennwort: it } }),
  (it) => ({ mcpPolicy: { allowlist: [`https://root:${it}@mcp.acme.example`] } }),
  (it) => ({ mcpPolicy: { allowlist: [`https://mcp.acme.example/?token=${it}`] } }),
  (it) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `notify.sh ${it}` }] }] } }),
  (it) => ({ list: [{ name: 'FOO', value: it }] }),
  (it) => ({ list: [{ name: 'DB_PASS', default: it }] }),
  (it) => ({ list: [{ name: 'DB_PASS', content: it }] }),
  (it) => ({ list: [{ key: 'DB_PASS', val: it }] }),
  (it) => ({ list: [['DB_PASS', it]] }),
  (it) => ({ list: [it, [it]] }),
  (it) => ({ раssword: it }),
  (it) => ({ commandAllowlist: [`docker run -e DB_PASS=${it} img`] }),
  (it) => ({ commandAllowlist: [`psql --password ${it} shop`] }),
  (it) => ({ commandAllowlist: [`mysql -h db --pass "${it}"`] }),
  (it) => ({ commandDenylist: [`curl https://root:${it}@a.example`] }),
  (it) => ({ commandDenylist: [`curl -H "X-Api-Key: ${it}" https://a.example`] }),
  (it) => ({ modelPolicy: { allowedBaseUrls: [`https://a.example/v1?api_key=${it}`] } }),
  (it) => ({ customModels: [{ id: 'custom:a', baseUrl: `https://a.example/v1?k=${it}` }] }),
  (it) => ({ customModels: [{ id: 'custom:a', managedCloud: { cloudProfile: it } }] }),
  (it) => ({ customModels: [{ id: 'custom:a', extraArgs: { user: it } }] }),
  (it) => ({ rolloutRing: it }),
  (it) => ({ rollout: { note: `the password is ${it} since monday` } }),
];

function server(members: Settings): Settings {
  return { mcpPolicy: { servers: { db: members } } };
}

/** A password as people choose them: nothing in it looks like a secret. */
const password = fc
  .oneof(
    fc
      .tuple(fc.constantFrom('Sommer', 'Herbst', 'winter', 'Kuchen', 'dolphin'), fc.integer({ min: 10, max: 2_099 }))
      .map(([word, number]) => `${word}${number}`),
    fc.tuple(signs('abcdefghijklmnop', 4), signs('0123456789', 4)).map((parts) => parts.join('')),
    signs('qwertzxv', 9),
    signs('aeiourstln', 8),
    signs(`${ALPHANUMERIC}!$*`, 10).filter((text) => /^[A-Za-z].*\w$/.test(text)),
  )
  .filter((text) => text.length >= 8);

/** A password in a configuration. */
export const plantedPassword = fc
  .tuple(password, fc.constantFrom(...CONFIGURATIONS))
  .map(([marker, put]) => ({ settings: put(marker), secret: marker }));

function nest(levels: number, inner: unknown): unknown {
  return Array.from({ length: levels }).reduce<unknown>((value) => ({ ring: value }), inner);
}

/** A secret in any place that may hold one. */
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
