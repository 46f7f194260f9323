import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { createReplace } from '../../core/base/privacy/replace-identifiers.ts';
import { readIdentity } from '../../core/store/identity.ts';
import type { Database } from '../../core/store/tables.ts';
import { writeWhole } from '../../core/store/whole-file.ts';
import type { ExportSettings } from './index.ts';
import { compress, folderOf, manifestSchema, sha256, writeManifest } from './files.ts';
import { EXPORTED_RESOURCES, hashPerson } from './rows.ts';

const decompress = promisify(gunzip);
const MANIFEST_END = '.manifest.json';

/** Returns a function that erases a person from the exported files, whether these hold identifiers or hashes. */
export function createEraseExports(
  exports: ExportSettings | undefined,
  db: Database,
): (id: string, identifiers: Identifiers) => Promise<number> {
  if (!exports) return () => Promise.resolve(0);
  return async (id, identifiers) => {
    const hash = hashPerson(await readIdentity(db));
    const hashes = [...identifiers.email, ...identifiers.userId].map((identifier) => hash(identifier));
    const replace = createReplace(id, { ...identifiers, userId: [...identifiers.userId, ...hashes] });
    let changed = 0;
    for (const resource of EXPORTED_RESOURCES) {
      const folder = folderOf(exports.directory, resource);
      if (!existsSync(folder)) continue;
      for (const name of readdirSync(folder).filter((each) => each.endsWith(MANIFEST_END)))
        if (await eraseDay(folder, name, replace)) changed += 1;
    }
    return changed;
  };
}

/** Keeps the version number. If the program is killed between the two files, the next run corrects the manifest. */
async function eraseDay(folder: string, name: string, replace: (text: string) => string): Promise<boolean> {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const path = join(folder, manifest.file);
  const before = (await decompress(readFileSync(path))).toString('utf8');
  const after = replace(before);
  const bytes = after === before ? readFileSync(path) : await compress(after);
  if (after !== before) await writeWhole(path, (unfinished) => Promise.resolve(writeFileSync(unfinished, bytes)));
  if (sha256(bytes) === manifest.sha256) return false;
  await writeManifest(folder, { ...manifest, sha256: sha256(bytes), content_sha256: sha256(after) });
  return true;
}
