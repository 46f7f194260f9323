import { existsSync } from 'node:fs';
import { SECRET_NAMES, type SettingFault } from './config.ts';
import { NoSmallFileError, readSmallFile } from './small-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentReading {
  environment: Environment;
  faults: SettingFault[];
}

const ENV_FILE = '.env';
const FILE_SUFFIX = '_FILE';
const MAX_SECRET_LENGTH = 16_384;

/**
 * Adds `.env` to the environment, whose own values win, and reads secrets from the files that settings such as
 * PLATFORM_API_KEY_FILE name. Only for the start of a program: it also loads `.env` into the process.
 */
export function readEnvironment(ownEnvironment: Environment, envFile = ENV_FILE): EnvironmentReading {
  const faults = loadEnvFile(envFile);
  const reading = readSecretFiles(ownEnvironment);
  return { environment: reading.environment, faults: [...faults, ...reading.faults] };
}

function loadEnvFile(path: string): SettingFault[] {
  if (!existsSync(path)) return [];
  try {
    process.loadEnvFile(path);
    return [];
  } catch {
    return [{ name: path, sentence: 'cannot be read: it must be a file that the program’s user may read' }];
  }
}

/** Puts each secret from a file under its own name. A secret that is set in both ways is removed and reported. */
export function readSecretFiles(originalEnvironment: Environment): EnvironmentReading {
  const environment: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(originalEnvironment).map(([name, value]) => [
      name,
      value === undefined ? undefined : withoutQuotes(value),
    ]),
  );
  const faults: SettingFault[] = [];
  for (const name of SECRET_NAMES) {
    const path = environment[name + FILE_SUFFIX];
    if (!path) continue;
    const isGivenTwice = Boolean(environment[name]);
    const read = isGivenTwice ? { sentence: `and ${name} are both set: keep one of them` } : readSecret(path);
    if ('sentence' in read) faults.push({ name: name + FILE_SUFFIX, sentence: read.sentence });
    environment[name] = 'secret' in read ? read.secret : undefined;
  }
  return { environment, faults };
}

/** Node.js removes the quotes of `.env`; `docker run --env-file` keeps them. */
function withoutQuotes(value: string): string {
  const text = value.trim();
  const quote = text.at(0);
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.at(-1) === quote;
  return isQuoted ? text.slice(1, -1).trim() : text;
}

function readSecret(path: string): { secret: string } | { sentence: string } {
  try {
    const secret = readSmallFile(path).trim();
    if (secret === '') return { sentence: `names ${path}, which is empty: put the secret there` };
    if (secret.length > MAX_SECRET_LENGTH) return { sentence: `names ${path}, which is too long for a secret` };
    return { secret };
  } catch (error) {
    if (error instanceof NoSmallFileError)
      return { sentence: `names ${path}, which is no file of at most 64 KB: put the secret into a file of its own` };
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : 'cannot be read';
    return { sentence: `names ${path}, which ${why}: correct it, and let the program’s user read it` };
  }
}
