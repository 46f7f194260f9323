import fc from 'fast-check';

type Settings = Record<string, unknown>;

/** Stands for the secret in a form. */
const HERE = '§';

/** Forms that say by a name, an option, a header or a program that a secret follows. The secret isn't quoted. */
const BARE_FORMS: readonly string[] = [
  'curl --token § https://a.example',
  'curl -H Authorization:§ https://a.example',
  'curl -u bot:§ https://a.example',
  'curl -ubot:§ https://a.example',
  'curl -sSu bot:§ https://a.example',
  'curl --user bot:§ https://a.example',
  'curl --user=bot:§ https://a.example',
  'sudo -E curl -x http://proxy:80 -U bot:§ https://a.example',
  'curl -b session=§ https://a.example',
  'curl --cookie session=§ https://a.example',
  'curl -b§ https://a.example',
  'curl --oauth2-bearer § https://a.example',
  'time curl -X POST -d a=1 -u § https://a.example',
  'cat a.json | curl -d @- -u bot:§ https://a.example',
  'make build && curl -u bot:§ https://a.example',
  '/usr/bin/curl -u bot:§ https://a.example',
  'docker login -u bot -p § registry.example',
  'docker login registry.example --username bot --password §',
  'docker login registry.example --username bot --password=§',
  'podman login -p§ registry.example',
  'helm registry login -u bot -p § registry.example',
  'sshpass -p § ssh bot@host.example',
  'sshpass -p§ ssh bot@host.example',
  'sshpass -v -p § scp a bot@host.example:b',
  'redis-cli -a §',
  'redis-cli -h db -a § ping',
  'redis-cli -a§ ping',
  'docker exec -it cache redis-cli -a § ping',
  'mysql -u root -p§ shop',
  'mysql -uroot --password=§ shop',
  'mysqldump -h db -p§ shop',
  'docker exec db mysql -uroot -p§ shop',
  'PGPASSWORD=§ psql -h db shop',
  'MYSQL_PWD=§ mysql shop',
  'psql --password § shop',
  'mongo -u root -p § shop',
  'mongosh --username root --password § shop',
  'ldapsearch -x -D cn=admin -w § -b dc=acme',
  'ldapsearch -xw § -b dc=acme',
  'smbclient -U bot%§ //host/share',
  'smbclient //host/share -U bot%§',
  'wget --password=§ https://a.example',
  'wget --user=bot --http-password § https://a.example',
  'openssl rsa -in a.pem -passin pass:§',
  'openssl enc -aes-256-cbc -pass pass:§ -in a',
  'openssl enc -aes-256-cbc -k § -in a',
  'zip -P § a.zip b',
  'zip -rP § a.zip b',
  'unzip -P § a.zip',
  '7z x -p§ a.7z',
  '7za a -p§ a.7z b',
  'keytool -list -storepass § -keystore a.jks',
  'az login -u bot -p §',
  'az login --service-principal -u bot -p § --tenant acme',
  'az keyvault secret set --vault-name v --name db --value §',
  'aws configure set aws_secret_access_key §',
  'aws configure set aws_secret_access_key § --profile x',
  'aws ssm put-parameter --name /db --type SecureString --value §',
  'aws secretsmanager create-secret --name db --secret-string §',
  'gcloud config set auth/access_token §',
  'gcloud sql users set-password root --password=§',
  'npm config set //registry.example/:_authToken §',
  'npm config set //registry.example/:_authToken=§',
  'npm set _authToken §',
  'npm publish --otp §',
  'yarn config set npmAuthToken §',
  'pnpm config set //registry.example/:_password §',
  'gh secret set DEPLOY --body §',
  'gh secret set DEPLOY -b §',
  'gh auth login --token §',
  'helm repo add a https://a.example --username bot --password §',
  'kubectl create secret generic db --from-literal=password=§',
  'kubectl config set-credentials bot --token=§',
  'kubectl --token § get pods',
  'oc login --token=§ https://a.example',
  'htpasswd -b .htpasswd bot §',
  'htpasswd -nb bot §',
  'htpasswd -b -c .htpasswd bot §',
  'rclone config create r sftp host=h pass=§',
  'rclone obscure §',
  'RESTIC_PASSWORD=§ restic backup',
  'restic -r b2:a backup --password §',
  'vault login §',
  'vault kv put kv/db password=§',
  'VAULT_TOKEN=§ vault read kv/db',
  'rabbitmqctl add_user bot §',
  'net user bot § /add',
  'composer config http-basic.a.example bot §',
  'poetry config pypi-token.pypi §',
  'twine upload -u bot -p § dist/a',
  'nuget push a.nupkg -k § -s feed',
  'setx API_KEY §',
  'setx /M API_KEY §',
  'set API_KEY=§',
  'set -gx API_KEY §',
  'export A_KEY=§',
  'export API_KEY=§; npm test',
  'API_KEY=§ npm test',
  'env API_KEY=§ npm test',
  'heroku config:set API_KEY=§ -a shop',
  'heroku config:set DB_PASSWORD=§',
  'fly secrets set STRIPE_SECRET=§',
  'docker run -e DB_PASS=§ image',
  'docker run --env DB_PASS=§ image',
  '$env:API_KEY = §',
  'setenv API_KEY §',
  'git config github.token §',
  'git -c http.extraHeader=Authorization:§ fetch',
  'auth=Basic §',
  'auth=Bearer §',
  'token: bearer §',
  'token: §',
  'Authorization: Bearer §',
  'Authorization: Basic §',
  'Authorization: token §',
  'Authorization: Digest §',
  'AUTHORIZATION: basic §',
  'authorization = Bearer §',
  'authorization bearer §',
  'Proxy-Authorization: Basic §',
  'Cookie: session=§',
  'X-Api-Key: §',
  'X-Auth-Token:§',
  'password: §',
  'password=§',
  'password = §',
  'db_password := §',
  'api_key: §',
  'clientSecret=§',
  'login --auth Bearer §',
  'mcp-server --auth-token=§ --port 80',
  'mcp-server --api-key § --port 80',
  'mcp-server -u bot:§',
  'npx -y mcp-remote https://a.example/sse --header Authorization:§',
  'Connect-Thing -Password § -Server a',
  'cmdkey /add:host /user:bot /pass:§',
  '{"name":"API_KEY","value":"§"}',
  '{"user":"bot","password":"§"}',
  '{"password":"§","user":"bot"}',
  'node -e process.env.API_KEY="§"',
  'AccountKey=§;EndpointSuffix=core',
  'Server=db;User=bot;Password=§;Port=1',
  '<add key="ApiKey" value="§"/>',
  'password:\n  §\nuser: bot',
  'user: bot\npassword: §\nport: 1',
  '[default]\naws_secret_access_key = §\nregion = eu',
  'name: API_KEY\nvalue: §',
  'machine a.example login bot password §',
];

/** The secret is within quotes, and may contain spaces. */
const QUOTED_FORMS: readonly string[] = [
  'curl -H "Authorization: Bearer §" https://a.example',
  "curl -H 'Authorization: Bearer §' https://a.example",
  'curl -H "Authorization: Basic §" https://a.example',
  'curl -H "Authorization: §" https://a.example',
  'curl -H "authorization:§" https://a.example',
  'curl -H "Authorization: Unheard §" https://a.example',
  'curl --header "X-Api-Key: §" https://a.example',
  'curl --header="X-Team: §" https://a.example',
  'curl -H "Cookie: a=1; session=§" https://a.example',
  'curl -u "bot:§" https://a.example',
  "curl -u 'bot:§' https://a.example",
  'curl -b "session=§" https://a.example',
  'sh -c "curl -u bot:\'§\' https://a.example"',
  `bash -c 'curl -H "Authorization: Bearer §" https://a.example'`,
  'wget --header "Authorization: Bearer §" https://a.example',
  'gh api -H "Authorization: token §" /user',
  'docker login -u bot -p "§" registry.example',
  'sshpass -p "§" ssh host',
  "sshpass -p'§' ssh host",
  'redis-cli -a "§" ping',
  "mysql -uroot -p'§' shop",
  'mysql -uroot --password="§" shop',
  'PGPASSWORD="§" psql shop',
  'mongo -p "§" shop',
  'ldapsearch -w "§" -x',
  'smbclient -U "bot%§" //host/share',
  'openssl rsa -passin "pass:§" -in a.pem',
  'zip -P "§" a.zip b',
  '7z a "-p§" a.7z b',
  'setx API_KEY "§"',
  'SET "API_KEY=§"',
  'export API_KEY="§"',
  "API_KEY='§' npm test",
  '$env:API_KEY = "§"',
  '$env:API_KEY="§"; npm test',
  '[Environment]::SetEnvironmentVariable("API_KEY", "§", "User")',
  'aws configure set aws_secret_access_key "§"',
  'npm config set //registry.example/:_authToken "§"',
  'git config http.extraHeader "AUTHORIZATION: basic §"',
  'git config --global http.https://a.example/.extraheader "AUTHORIZATION: bearer §"',
  'git -c "http.extraHeader=Authorization: Basic §" fetch',
  'kubectl create secret generic db --from-literal=password="§"',
  'kubectl create secret generic db --from-literal="password=§"',
  'htpasswd -b .htpasswd bot "§"',
  'ConvertTo-SecureString -String a -Key "§"',
  'login --password "§" --user bot',
  'login --password="§" --user bot',
  '"password": "§"',
  '{ "user": "bot", "password": "§", "port": 1 }',
  '{"user":"bot","password":"§","port":1}',
  `curl -d '{"user": "bot", "password": "§"}' https://a.example`,
  'curl -d "{\\"user\\": \\"bot\\", \\"password\\": \\"§\\"}" https://a.example',
  'password: "§"',
  "secret_key: '§' # of the shop",
  'api_key = "§"',
  'headers: { Authorization: "Bearer §" }',
  'Authorization: "Bearer §"',
  "token = '§'",
  'token: `§`',
  "password => '§'",
  '- name: API_KEY\n  value: "§"',
  '{"name": "API_KEY", "value": "§"}',
  'auth="Basic §"',
];

/** Addresses: the secret is a name, a password, a parameter or a part of the path. */
const ADDRESS_FORMS: readonly string[] = [
  'https://bot:§@a.example/x',
  'git clone https://bot:§@git.acme.example/web.git',
  'git remote add origin https://oauth2:§@git.acme.example/web.git',
  'postgres://root:§@db.acme.example:5432/shop',
  'redis://:§@cache.acme.example:6379/0',
  'psql "postgres://root:§@db.acme.example/shop"',
  'https://a.example/x?token=§',
  'https://a.example/x?a=1&api_key=§&b=2',
  'curl "https://a.example/x?access_token=§"',
  'a.example/x?token=§',
  'https://api.telegram.org/bot123456:§/sendMessage',
  'api.telegram.org/bot123456:§/getMe',
  'curl -d chat_id=1 https://api.telegram.org/bot123456:§/sendMessage',
  'https://hooks.slack.com/services/T00000/B00000/§',
  'curl -X POST -d a=1 https://hooks.slack.com/services/T00000/B00000/§',
  'hooks.slack.com/services/T00000/B00000/§',
  'https://hooks.slack.com/workflows/T0/A0/1/§',
  'https://discord.com/api/webhooks/1234567890/§',
  'https://discordapp.com/api/webhooks/1234567890/§',
  'https://acme.webhook.office.com/webhookb2/a/IncomingWebhook/b/§',
  'https://hooks.zapier.com/hooks/catch/12345/§',
  'https://maker.ifttt.com/trigger/build/with/key/§',
  'https://a.example/token/§/list',
  'root:§@tcp(db:3306)/shop',
];

type Put = (text: string) => Settings;
const server = (members: Settings): Settings => ({ mcpPolicy: { servers: { db: members } } });

/** Where a text may be. */
const PLACES: Readonly<Record<string, Put>> = {
  'allowed command': (text) => ({ commandAllowlist: [text] }),
  'denied command between others': (text) => ({ commandDenylist: ['npm test', text, 'git status'] }),
  'allowed server': (text) => ({ mcpPolicy: { allowlist: [text] } }),
  'allowed server between others': (text) => ({ mcpPolicy: { allowlist: ['github', text, 'linear'] } }),
  'command of a server': (text) => server({ command: text }),
  'argument of a server': (text) => server({ command: 'npx', args: ['-y', text] }),
  'address of a server': (text) => server({ url: text }),
  'variable of a server': (text) => server({ env: { FOO: text } }),
  'header of a server': (text) => server({ headers: { 'X-Team': text } }),
  hook: (text) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: text }] }] } }),
  'unknown member': (text) => ({ rolloutNote: text }),
  'unknown list': (text) => ({ rollout: [{ deep: ['alpha', text] }] }),
  'display name': (text) => ({ customModels: [{ id: 'custom:a', displayName: text }] }),
  'base address': (text) => ({ customModels: [{ id: 'custom:a', baseUrl: text }] }),
  'id of a custom model': (text) => ({ customModels: [{ id: text }] }),
  'model of a custom model': (text) => ({ customModels: [{ id: 'custom:a', model: text }] }),
  'allowed model': (text) => ({ modelPolicy: { allowedModelIds: [text] } }),
  'allowed address': (text) => ({ modelPolicy: { allowedBaseUrls: [text] } }),
  'default model': (text) => ({ sessionDefaultSettings: { model: text } }),
  'known marketplace': (text) => ({ strictKnownMarketplaces: [{ repo: text }] }),
  'extra marketplace': (text) => ({ extraKnownMarketplaces: { acme: { source: { repo: text } } } }),
  domain: (text) => ({ sandbox: { network: { allowedDomains: [text] } } }),
  folder: (text) => ({ sandbox: { filesystem: { denyRead: [text] } } }),
  socket: (text) => ({ sandbox: { network: { allowUnixSockets: [text] } } }),
  'address of a network': (text) => ({ networkPolicy: { allowedIps: [text] } }),
  'e-mail': (text) => ({ managedComputersAllowedEmails: [text] }),
};

/** The words of a text as items of a list. */
const SPLIT_PLACES: Readonly<Record<string, (items: readonly string[]) => Settings>> = {
  'items of a command': (items) => ({ commandAllowlist: items }),
  'items of a server': (items) => ({ mcpPolicy: { allowlist: items } }),
  arguments: (items) => server({ args: items }),
  'unknown items': (items) => ({ rollout: [items] }),
};

const signs = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((drawn) => drawn.join(''));
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALL = LOWER + LOWER.toUpperCase() + DIGITS;
/** No word of a form, and no word that people use in commands. */
const rare = (length: number) => signs('qxzvkjw', length);

/** Without a space. Parts of known prefixes are joined here, so that no file contains what looks like a token. */
const KINDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'short word': fc.tuple(rare(6), signs(DIGITS, 1)).map((parts) => parts.join('')),
  word: rare(8),
  capitals: rare(7).map((text) => text.toUpperCase()),
  digits: signs('13579', 8),
  'long token': signs(ALL, 32),
  hexadecimal: signs('0123456789abcdef', 40),
  base64: signs(ALL, 22).map((text) => `${text}==`),
  'base64 with signs': fc.tuple(signs(ALL, 12), signs(ALL, 12)).map(([one, other]) => `${one}+/${other}=`),
  'known prefix': fc
    .tuple(
      fc.constantFrom(['gh', 'p_'], ['xo', 'xb-1-'], ['sk', '-live-'], ['AK', 'IA'], ['gl', 'pat-']),
      signs(ALL, 24),
    )
    .map(([prefix, text]) => `${prefix.join('')}${text}`),
  'with :': fc.tuple(rare(6), rare(6)).map((parts) => parts.join(':')),
  'with @': fc.tuple(rare(6), rare(6)).map((parts) => parts.join('@')),
  'with /': fc.tuple(rare(6), rare(6)).map((parts) => parts.join('/')),
  'with =': fc.tuple(rare(6), rare(6)).map((parts) => parts.join('=')),
  'with !': fc.tuple(rare(6), rare(5)).map((parts) => parts.join('!')),
  'with -': fc.tuple(rare(6), rare(5)).map((parts) => parts.join('-')),
};
const PASSPHRASE = fc.tuple(rare(5), rare(7), rare(6)).map((words) => words.join(' '));

interface Shape {
  /** The place, the kind and the form, for the message of a failure. */
  name: string;
  secret: fc.Arbitrary<string>;
  put: (secret: string) => Settings;
}

const fill = (form: string, secret: string) => form.replaceAll(HERE, () => secret);

function shapes(): Shape[] {
  const all: Shape[] = [];
  const add = (place: string, kind: string, secret: fc.Arbitrary<string>, form: string, put: Shape['put']) =>
    all.push({ name: `${place}, ${kind}: ${form}`, secret, put });
  for (const form of [...BARE_FORMS, ...QUOTED_FORMS, ...ADDRESS_FORMS]) {
    const kinds = Object.entries(KINDS);
    if (QUOTED_FORMS.includes(form)) kinds.push(['passphrase', PASSPHRASE]);
    for (const [kind, secret] of kinds) {
      for (const [place, put] of Object.entries(PLACES))
        add(place, kind, secret, form, (text) => put(fill(form, text)));
      if (QUOTED_FORMS.includes(form) || form.includes('\n')) continue;
      for (const [place, put] of Object.entries(SPLIT_PLACES))
        add(place, kind, secret, form, (text) => put(form.split(' ').map((word) => fill(word, text))));
    }
  }
  return all;
}

export const SHAPES: readonly Shape[] = shapes();

/** Whether a text contains a secret, or one of the parts that its signs divide it into. */
export const isLeaked = (text: string, secret: string): boolean =>
  [secret, ...secret.split(/[ :@/=!-]/).filter((part) => part.length >= 5)].some(
    (part) => text.includes(part) || text.includes(encodeURIComponent(part)),
  );
