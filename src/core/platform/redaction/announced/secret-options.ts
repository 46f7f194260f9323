import { wordsIn } from '../../../base/text/word-list.ts';

interface ProgramOptions {
  programs: string;
  /** The options count only after one of these words, such as a subcommand. */
  after?: string;
  /** Options whose value contains a password, a token, or a name and a password. Short ones may be attached to it. */
  secret?: string;
  /** Short options without a value, which may be joined with one of the secret ones: `curl -sSu name:password`. */
  flags?: string;
  /** Words without an option that are secret, counted from zero: the program, or the word of `after`, precedes them. */
  secretWords?: { from: number; to?: number };
  /** Options whose names look secret, and which take a harmless value. */
  harmless?: string;
}

/**
 * Where well-known programs take passwords. Options with a secret name, such as `--password`, count for every program.
 * A new program needs only a line here. `test/core/platform/redaction/secret-corpus.ts` lists examples.
 */
const PROGRAMS: readonly ProgramOptions[] = [
  {
    programs: 'curl',
    secret:
      '-u --user -U --proxy-user -b --cookie --pass --proxy-pass -E --cert --oauth2-bearer --tlsuser --login-options',
    flags: 'sSLkfviIgGnNjJOqR0#46a',
  },
  { programs: 'wget wget2', secret: '--password --http-password --ftp-password --proxy-password --user' },
  { programs: 'http https xh httpie', secret: '-a --auth -A' },
  { programs: 'aria2c', secret: '--http-passwd --ftp-passwd --rpc-secret' },
  { programs: 'hey oha wrk ab siege', secret: '-a -A -P -C' },
  {
    programs: 'docker podman nerdctl buildah skopeo oras crane helm',
    after: 'login',
    secret: '-u --username -p --password',
  },
  { programs: 'skopeo', secret: '--creds --src-creds --dest-creds --src-registry-token --dest-registry-token' },
  { programs: 'sshpass', secret: '-p', flags: 'v' },
  { programs: 'redis-cli keydb-cli valkey-cli redis-benchmark', secret: '-a --pass -u --user' },
  {
    programs: 'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mysqlpump mariadb mariadb-dump mariadb-admin',
    secret: '-p --password',
  },
  { programs: 'psql pg_dump pg_restore pgbench createdb', secret: '-p' },
  { programs: 'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat', secret: '-p --password' },
  { programs: 'sqlcmd bcp osql isql tsql sqlplus', secret: '-P' },
  { programs: 'cqlsh influx clickhouse-client clickhouse', secret: '-p --password --pass' },
  { programs: 'ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', secret: '-w -a -s', flags: 'xLZvnc' },
  {
    programs: 'smbclient smbmap rpcclient smbget net nmblookup winexe crackmapexec netexec nxc',
    secret: '-U --user -p --password',
  },
  { programs: 'xfreerdp wfreerdp rdesktop', secret: '-p /p' },
  { programs: 'openssl', secret: '-passin -passout -pass -k -K -password -psk -srppass' },
  {
    programs: 'keytool jarsigner',
    secret: '-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass',
  },
  { programs: 'signtool', secret: '/p' },
  { programs: 'zip unzip zipcloak', secret: '-P --password', flags: 'rqjuvm9eoyTnl' },
  { programs: '7z 7za 7zr 7zz rar unrar', secret: '-p -hp' },
  { programs: 'gpg gpg2', secret: '--passphrase', harmless: '--list-secret-keys --export-secret-keys' },
  { programs: 'qpdf pdftk', secret: '--password' },
  { programs: 'restic rustic', secret: '--password', harmless: '-p' },
  { programs: 'smbclient', secretWords: { from: 1, to: 1 } },
  { programs: 'gcloud', after: 'activate-refresh-token', secretWords: { from: 1 } },
  { programs: 'vault bao', after: 'unseal', secretWords: { from: 0 } },
  { programs: 'pulumi', harmless: '--secret' },
  { programs: 'pulumi', after: '--secret', secretWords: { from: 1 } },
  { programs: 'snyk', after: 'auth', secretWords: { from: 0, to: 0 } },
  { programs: 'sonar-scanner', secret: '-Dsonar.login' },
  { programs: 'sqlplus expdp impdp sqlldr rman', secretWords: { from: 0, to: 0 } },
  { programs: 'rabbitmqadmin ncftpput ncftpget', secret: '-p --password' },
  { programs: 'convertto-securestring', secretWords: { from: 0, to: 0 } },
  { programs: 'pscredential', secretWords: { from: 1 } },
  { programs: 'rclone', after: 'obscure', secretWords: { from: 0, to: 0 } },
  { programs: 'rclone', secret: '--rc-pass --pass --password' },
  { programs: 'borg', secret: '--passphrase' },
  { programs: 'az', secret: '-p --password --value --account-key --sas-token --connection-string -v' },
  { programs: 'az', after: 'login', secret: '-u --username -p --password --federated-token' },
  {
    programs: 'aws',
    secret: '--value --secret-string --master-user-password --token-code',
    harmless: '--key --key-id --key-name --secret-id',
  },
  { programs: 'gcloud', secret: '--access-token --password' },
  { programs: 'npm pnpm yarn', secret: '--_auth --otp', after: 'login publish adduser access' },
  { programs: 'gh glab', after: 'set', secret: '-b --body -v --value' },
  { programs: 'glab tea', after: 'login', secret: '-t --token' },
  { programs: 'kubectl oc', secret: '--token --password -p', after: 'login set-credentials' },
  { programs: 'vault bao', after: 'login', secretWords: { from: 0 } },
  {
    programs: 'heroku fly flyctl vercel netlify wrangler doctl sentry-cli',
    secret: '-t --token --auth-token --access-token',
  },
  { programs: 'htpasswd', after: '-b -nb -bn -cb -bc -Bb -bB -bBc -cBb -Bbn -nbB -nbm -bm', secretWords: { from: 1 } },
  { programs: 'rabbitmqctl', after: 'add_user change_password authenticate_user', secretWords: { from: 1, to: 1 } },
  { programs: 'net', after: 'user', secretWords: { from: 1, to: 1 } },
  { programs: 'net', after: 'use', secretWords: { from: 1, to: 1 } },
  { programs: 'mc', after: 'set add', secretWords: { from: 2 } },
  { programs: 'composer poetry', after: 'config', secretWords: { from: 1 } },
  { programs: 'cmdkey', secret: '/pass' },
  { programs: 'ansible ansible-playbook ansible-vault', secret: '', harmless: '-k -K' },
  { programs: 'snmpwalk snmpget snmpset', secret: '-c -A -X' },
  { programs: 'ipmitool', secret: '-P' },
  { programs: 'lftp ncftp', secret: '-u -p' },
  { programs: 'mosquitto_pub mosquitto_sub', secret: '-P --pw' },
  { programs: 'kcat kafkacat', secret: '-X' },
  { programs: 'nmcli', after: 'password', secretWords: { from: 0, to: 0 } },
  { programs: 'twine', secret: '-p --password -u --username' },
  { programs: 'cargo', after: 'login', secretWords: { from: 0, to: 0 } },
  {
    programs: 'mvn mvnw',
    after: '--encrypt-password --encrypt-master-password -ep -emp',
    secretWords: { from: 0, to: 0 },
  },
  { programs: 'nuget dotnet', after: 'push', secret: '-k -ApiKey --api-key' },
  { programs: 'nuget dotnet', secret: '-p --password -Password' },
  { programs: 'op bw lpass', after: 'unlock login', secretWords: { from: 0 } },
  { programs: 'sort', harmless: '--key' },
  { programs: 'docker podman buildah', harmless: '--secret' },
  { programs: 'pg_isready apt-get apt', harmless: '--key --allow-unauthenticated' },
];

/** Programs that are followed by another one, whose options come after it. */
const WRAPPERS = wordsIn('sudo doas env time nohup exec xargs nice timeout watch sshpass npx bunx pnpx stdbuf');

const byProgram = new Map<string, ProgramOptions[]>();
for (const entry of PROGRAMS)
  for (const name of entry.programs.split(' ')) byProgram.set(name, [...(byProgram.get(name) ?? []), entry]);

/** @example programOf('/usr/bin/curl') // 'curl' */
export function programOf(word: string): string | undefined {
  const name = word
    .slice(word.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');
  return byProgram.has(name) ? name : undefined;
}

export const isWrapper = (word: string) => WRAPPERS.has(word);

/** The words of a command before the current one. */
export interface Command {
  program?: string | undefined;
  words: readonly string[];
}

function entriesOf({ program, words }: Command): ProgramOptions[] {
  const entries = program === undefined ? [] : (byProgram.get(program) ?? []);
  return entries.filter(({ after }) => after === undefined || after.split(' ').some((word) => words.includes(word)));
}

export type OptionReading =
  | { kind: 'secret'; /** The length of the name, if the value is attached: `-phunter2`. */ attachedAt?: number }
  | { kind: 'harmless' };

/** What the program of a command makes of an option; undefined if the program is unknown or the option isn't listed. */
export function readOption(option: string, command: Command): OptionReading | undefined {
  const entries = entriesOf(command);
  for (const { secret = '', harmless = '', flags = '' } of entries) {
    const names = secret.split(' ');
    if (names.includes(option)) return { kind: 'secret' };
    if (harmless.split(' ').includes(option)) return { kind: 'harmless' };
    const attachedAt = attachedValue(option, names, flags);
    if (attachedAt !== undefined)
      return attachedAt < option.length ? { kind: 'secret', attachedAt } : { kind: 'secret' };
  }
  return undefined;
}

/** `-password` is no `-p` with a value. */
const NAMED = /^-(?:password|passwd|passphrase|pass|token|secret|key)$/i;

/** `-phunter2`, `-sSuname:password` */
function attachedValue(option: string, names: readonly string[], flags: string): number | undefined {
  if (!/^-[^-]/.test(option) || NAMED.test(option)) return undefined;
  const long = names.find((name) => /^-[a-z]{2}$/.test(name) && option.startsWith(name));
  if (long !== undefined) return long.length;
  for (let at = 1; at < option.length; at += 1) {
    if (names.includes(`-${option.charAt(at)}`)) return at + 1;
    if (!flags.includes(option.charAt(at))) return undefined;
  }
  return undefined;
}

/** Whether the next word of the command is secret by its position: `htpasswd -b file name password`. */
export function isSecretWord({ program, words }: Command): boolean {
  return entriesOf({ program, words }).some(({ after, secretWords }) => {
    if (!secretWords) return false;
    const start = Math.max(
      words.findIndex((word) => programOf(word) === program),
      ...(after?.split(' ') ?? []).map((word) => words.indexOf(word)),
    );
    const position = words.slice(start + 1).filter((word) => !word.startsWith('-')).length;
    return position >= secretWords.from && position <= (secretWords.to ?? Infinity);
  });
}

/** Options of many programs whose value is a header. */
export const isHeaderOption = (option: string) => /^(?:-H|--headers?|--proxy-header|--add-header)$/.test(option);

const HARMLESS_HEADERS = wordsIn(
  'accept accept-charset accept-encoding accept-language accept-ranges age allow cache-control connection content-disposition',
  'content-encoding content-language content-length content-type date depth destination dnt etag expect expires from',
  'host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive max-forwards origin pragma',
  'range referer te trailer transfer-encoding upgrade user-agent vary via warning anthropic-version anthropic-beta',
  'openai-beta x-github-api-version x-requested-with x-forwarded-proto x-forwarded-host x-forwarded-for',
);
export const isHarmlessHeader = (name: string) => HARMLESS_HEADERS.has(name.toLowerCase());
