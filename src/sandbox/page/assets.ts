import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

export interface Asset {
  contentType: string;
  body: string;
}

/** The first module that the page loads; all other files are in its folder or below. */
const firstModule = new URL('./browser/main.ts', import.meta.url);
const browserFolder = new URL('.', firstModule);
/** The version in the path only separates files in the browser's cache from older ones. */
const assetPath = /^\/assets\/v[a-z0-9]+\/((?:[a-z0-9-]+\/)*[a-z0-9-]+\.(ts|css|svg))$/;
const contentTypes: Record<string, string> = {
  ts: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** The packages that the page imports, by their import names. */
const vendorPackages = ['preact', 'preact/hooks', 'htm', 'htm/preact'] as const;
const vendorPath = (name: string) => `/vendor/${name.replace('/', '-')}.js`;

/** Maps bare names in `import … from 'preact'` to addresses. */
const importMap = JSON.stringify({
  imports: Object.fromEntries(vendorPackages.map((name) => [name, vendorPath(name)])),
});

/**
 * The page loads only from this server. The one inline script is the import map, permitted by its hash, so that the text of a
 * message could not run as a script even if a component failed to escape it.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface CachedText {
  changedMs: number;
  text: string;
}
const cache = new Map<string, CachedText>();

/** Reads a file again only after it changed, so that an edit shows after a reload of the page. */
async function readCached(file: URL, prepare: (source: string) => string): Promise<string> {
  const { mtimeMs } = await stat(file);
  const cached = cache.get(file.href);
  if (cached?.changedMs === mtimeMs) return cached.text;
  const text = prepare(await readFile(file, 'utf8'));
  cache.set(file.href, { changedMs: mtimeMs, text });
  return text;
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Returns the file for a path under /assets/ or /vendor/; null if there is none. */
export async function readAsset(path: string): Promise<Asset | null> {
  const vendorName = vendorPackages.find((name) => vendorPath(name) === path);
  if (vendorName !== undefined) {
    const file = new URL(import.meta.resolve(vendorName));
    return { contentType: 'text/javascript; charset=utf-8', body: await readCached(file, (source) => source) };
  }
  const [, name, extension] = assetPath.exec(path) ?? [];
  if (name === undefined || extension === undefined) return null;
  const file = new URL(name, browserFolder);
  const prepare = (source: string) => (extension === 'ts' ? stripTypeScriptTypes(source) : source);
  try {
    return { contentType: contentTypes[extension] ?? 'text/plain', body: await readCached(file, prepare) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Files {
  /** Changes with every edit of a file, so that the browser may cache each file for ever. */
  version: string;
  /** All modules, so that the browser can load them in parallel. */
  modules: string[];
}

async function listFiles(): Promise<Files> {
  const names = await readdir(browserFolder, { recursive: true });
  const changes = await Promise.all(names.map(async (name) => (await stat(new URL(name, browserFolder))).mtimeMs));
  const version = `v${Math.floor(Math.max(...changes)).toString(36)}`;
  const modules = names.filter((name) => name.endsWith('.ts')).map((name) => `/assets/${version}/${name}`);
  return { version, modules: [...vendorPackages.map((name) => vendorPath(name)), ...modules] };
}

/** Returns a page with its title, its import map and its list of modules. */
export async function readPage(title: string, name: 'index' | 'gallery' = 'index'): Promise<Asset> {
  const { version, modules } = await listFiles();
  const preloads = modules.map((path) => `<link rel="modulepreload" href="${path}" />`).join('');
  const source = await readCached(new URL(`${name}.html`, browserFolder), (text) => text);
  return {
    contentType: 'text/html; charset=utf-8',
    body: source
      .replaceAll('{{version}}', version)
      .replace('{{title}}', () => escapeHtml(title))
      .replace('<!-- import map -->', () => `<script type="importmap">${importMap}</script>${preloads}`),
  };
}
