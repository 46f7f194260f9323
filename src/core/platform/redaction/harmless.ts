import { wordsIn } from '../../base/text/word-list.ts';

/** Common words in the settings of programs and servers, which are no passwords. */
const WORDS = wordsIn(
  'on off true false yes no enabled disabled enable disable none all any some allow deny ask always never block',
  'blocked allowed denied prompt auto manual strict unrestricted restricted permissive relaxed full limited',
  'isolated locked open read write readonly read-only read-write inherit optional required warn enforce',
  'auto-high auto-medium auto-low spec low medium high minimal standard thinking',
  'alpha beta gamma stable preview canary nightly latest legacy production staging development test info debug',
  'error trace default custom internal external global user users team group organization project member manager',
  'owner everyone nobody',
  'stdio http https sse tcp udp unix websocket streamable-http local remote localhost node npx npm pnpm yarn bun',
  'bunx deno uv uvx pip pipx python python3 java docker podman bash sh zsh cmd powershell curl wget git ssh sudo',
  'go ruby php run exec start serve server install build command github gitlab npmjs url file',
);

/** What people do to keys and tokens: `npm token list`, `artisan key:generate`. */
const ACTIONS = wordsIn(
  'add apply audit auth check clean clear config configure convert copy create decode delete describe diff edit encode',
  'export fetch find generate get help import info init inspect install introspect issue list lint login logout lookup',
  'ls make mint new print publish pull push put read refresh remove renew reset revoke rm rotate run scan search set',
  'setup show sign start status stop sync test tests unlock unset update upload use validate verify view watch whoami',
  'write all default and or for of in to from with on by the a an as at be cp mv cat echo cd',
);
export const isAction = (word: string) => ACTIONS.has(word);

export const isHarmlessWord = (word: string) => WORDS.has(word.toLowerCase());

/** `--token`, `-e`, `--allow-net`: the name of an option, without its value. */
export const isOptionName = (word: string) =>
  /^--?[A-Za-z][a-z]{0,20}(?:-[a-z]{1,20}){0,5}$/.test(word) && isShortOrLong(word);

/** `-pWinter` is the option `-p` and its value. */
const isShortOrLong = (word: string) => word.startsWith('--') || word.length <= 2;

const EXTENSIONS =
  /\.(?:[cm]?[jt]sx?|json5?|ya?ml|toml|ini|cfg|conf|config|env|md|txt|log|sh|bash|zsh|ps1|bat|cmd|exe|py|rb|go|rs|java|jar|php|pl|lua|sql|db|sqlite|sock|pid|lock|crt|cer|pem|key|csv|xml|html?|css|wasm|so|dll|tar|gz|zip)$/i;
const ROOTS =
  /^(?:\/(?:usr|etc|opt|bin|sbin|var|tmp|home|srv|lib|run|app|dev|mnt|root|data|workspace)(?:\/|$)|~\/|\.{1,2}\/)/;
/** Usual names of folders and files: words, small numbers and version numbers. */
const PATH_PART = /^[.@]?(?:[A-Za-z_]{1,30}\d?|\d{1,3})(?:[.-](?:[A-Za-z_]{1,30}\d?|\d{1,3})){0,8}$/;

/** `/etc/app/config.json`, `server.js` */
export function isFileName(word: string): boolean {
  if (word.length > 200 || !(ROOTS.test(word) || EXTENSIONS.test(word))) return false;
  return word.split('/').every((part) => part === '' || part === '~' || /^\.{1,2}$/.test(part) || PATH_PART.test(part));
}

/** `@modelcontextprotocol/server-github`, as `npx` takes it. */
export const isScopedPackage = (word: string) =>
  /^@[a-z]{1,40}(?:-[a-z]{1,40}){0,4}\/[a-z]{1,40}(?:-[a-z]{1,40}){0,6}$/.test(word);

/** `API_TOKEN`, `X-Api-Id`: the name of a variable or a header. */
export const isVariableName = (word: string) =>
  /^[A-Z]{1,20}(?:_[A-Z]{1,20}){1,6}$/.test(word) || /^[A-Z][a-z]{0,20}(?:-[A-Z][a-z]{0,20}){1,6}$/.test(word);

/** The parts of paths that occur in the addresses of many services. */
const ADDRESS_PARTS =
  /^(?:v\d{1,2}|api|apis|mcp|sse|rpc|graphql|openai|anthropic|chat|completions|models|health|rest|public|docs)$/;
export const isAddressPart = (part: string) => ADDRESS_PARTS.test(part);
