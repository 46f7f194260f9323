import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = new URL('../../', import.meta.url);
const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, root), 'utf8'));

const packageSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ integrity: z.string().optional(), hasInstallScript: z.boolean().optional() }),
  ),
});

describe('the dependencies', () => {
  test('are pinned to exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = packageSchema.parse(readJson('package.json'));
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-alpha\.\d+)?$/.test(version))).toEqual([]);
  });

  test('are all verified against the lock file, and run no scripts when they are installed', () => {
    const packages = Object.entries(lockSchema.parse(readJson('package-lock.json')).packages).filter(([path]) => path);
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  });
});
