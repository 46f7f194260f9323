import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { readText } from './parsing/sources.ts';

const { dependencies, devDependencies, optionalDependencies } = manifest;
/** As the lock file describes it. */
interface Installed {
  integrity?: string;
  hasInstallScript?: boolean;
}

describe('the dependencies', () => {
  test('are pinned to exact versions', () => {
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-alpha\.\d+)?$/.test(version))).toEqual([]);
  });

  test('are all verified against the lock file, and run no scripts when they are installed', () => {
    const { packages }: { packages: Record<string, Installed> } = JSON.parse(readText('package-lock.json'));
    const installed = Object.entries(packages).filter(([path]) => path);
    expect(installed.length).toBeGreaterThan(100);
    const isSafe = ({ integrity = '', hasInstallScript = false }: Installed) =>
      integrity.startsWith('sha512-') && !hasInstallScript;
    expect(installed.filter(([, one]) => !isSafe(one)).map(([path]) => path)).toEqual([]);
  });
});
