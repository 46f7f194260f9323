import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDatabaseUrl, SETTING_NAMES } from '../../src/base/settings/config.ts';
import { readText } from './parsing/sources.ts';

// What Compose knows, as far as it is used here: https://docs.docker.com/reference/compose-file/services/
const serviceSchema = z.strictObject({
  extends: z.strictObject({ file: z.string(), service: z.string() }).optional(),
  build: z.literal('.').optional(),
  image: z.string().optional(),
  env_file: z.literal('.env').optional(),
  environment: z.record(z.string(), z.string()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  restart: z.literal('unless-stopped').optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  init: z.boolean().optional(),
  read_only: z.literal(true).optional(),
  tmpfs: z.array(z.string().startsWith('/')).optional(),
  cap_drop: z.array(z.literal('ALL')).optional(),
  security_opt: z.array(z.literal('no-new-privileges:true')).optional(),
  volumes: z.array(z.string().regex(/^\w+:\/\S+$/)).optional(),
  ports: z.array(z.string()).optional(),
  expose: z.array(z.string()).optional(),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.literal('CMD')], z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.int(),
      start_period: z.string(),
    })
    .optional(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
});
type Service = z.infer<typeof serviceSchema>;
const composeSchema = z.strictObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
});

const FILES = ['compose.yml', 'compose.sqlite.yml'];

/** A file as Compose sees it: each service with what it extends. */
function readCompose(path: string) {
  const { services, volumes } = composeSchema.parse(parse(readText(path)));
  const whole = Object.entries(services).map(([name, { extends: base, ...own }]): [string, Service] => [
    name,
    { ...(base && readCompose(base.file).services[base.service]), ...own },
  ]);
  return { services: Object.fromEntries(whole), volumes };
}

/** Fills in what comes from `.env`. */
function filledIn(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, sign = '-', word = '') =>
      given[name] ?? (sign === '-' ? String(word) : `missing: ${String(word)}`),
  );
}

describe.each(FILES)('%s', (path) => {
  const { services, volumes } = readCompose(path);
  const bot = services['quartermaster'];

  test('starts every service again, keeps its files unwritable, bounds its log and names its volumes', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({ restart: 'unless-stopped', read_only: true });
      expect(service.logging?.options['max-size']).toBeDefined();
      for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
    }
    expect(bot?.cap_drop).toEqual(['ALL']);
    expect(readText('Dockerfile')).toContain('VOLUME /data');
    expect(bot?.volumes).toEqual(['quartermaster:/data']);
  });

  test('waits for the bot to finish what is running', () => {
    const [, seconds] = /STOP_TIMEOUT_MS = (\d+)_000/.exec(readText('src/main.ts')) ?? [];
    expect(Number.parseInt(bot?.stop_grace_period ?? '', 10)).toBeGreaterThan(Number(seconds));
  });

  test('names only settings that exist', () => {
    const named = [
      ...Object.keys(bot?.environment ?? {}),
      ...readText(path)
        .matchAll(/\$\{([A-Z_]+)/g)
        .map(([, name]) => name),
    ];
    expect(named.filter((name) => !SETTING_NAMES.includes(name ?? '') && name !== 'POSTGRES_PASSWORD')).toEqual([]);
    expect(bot?.ports?.map((port) => filledIn(port))).toEqual(['127.0.0.1:3000:3000']);
    expect(bot?.expose?.map((port) => filledIn(port))).toEqual(['9464']);
  });
});

describe('compose.yml', () => {
  const { quartermaster: bot, postgres } = readCompose('compose.yml').services;

  test('leads the bot to the database that it makes, once that is healthy', () => {
    const password = { POSTGRES_PASSWORD: 'abc123' };
    const address = readDatabaseUrl(filledIn(bot?.environment?.['DATABASE_URL'] ?? '', password));
    const { hostname, username, pathname } = new URL(address.ok ? address.value : '');
    expect([hostname, username, pathname]).toEqual([
      'postgres',
      postgres?.environment?.['POSTGRES_USER'],
      '/quartermaster',
    ]);
    expect(postgres?.environment?.['POSTGRES_DB']).toBe('quartermaster');
    expect(postgres?.healthcheck?.test).toContain('pg_isready');
    expect(bot?.depends_on).toHaveProperty('postgres');
  });

  test('does not start without a password of the database', () => {
    expect(filledIn(bot?.environment?.['DATABASE_URL'] ?? '')).toContain('missing: add POSTGRES_PASSWORD');
  });

  test('says the one line that makes it SQLite alone', () => {
    const [, file] = /^# +COMPOSE_FILE=(\S+)$/m.exec(readText('compose.yml')) ?? [];
    expect(file).toBe('compose.sqlite.yml');
    const { services } = readCompose(file ?? '');
    expect(Object.keys(services)).toEqual(['quartermaster']);
    // The image's own default is a file on the volume.
    expect(services['quartermaster']?.environment).toBeUndefined();
  });
});
