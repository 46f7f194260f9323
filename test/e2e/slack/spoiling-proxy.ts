import { createServer } from 'node:http';

/** The text of the platform's next answers that is replaced: at one place, such as `data.*.by_user.*.user_email`. */
export interface Spoiling {
  place: string;
  text: string;
}

export interface SpoilingProxy {
  address: string;
  /** The places of texts in the answers so far, by the path of the request. */
  places: Map<string, Set<string>>;
  spoil(spoiling: Spoiling | undefined): void;
  close(): Promise<void>;
}

/** Passes every request on to the platform and replaces the text at one place of its answers. */
export async function startSpoilingProxy(platform: string): Promise<SpoilingProxy> {
  const places = new Map<string, Set<string>>();
  let current: Spoiling | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(`${platform}${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      const text = await answer.text();
      const known = places.get(pathOf(request.url)) ?? new Set<string>();
      places.set(pathOf(request.url), known);
      const body = answer.ok ? JSON.stringify(replaced(JSON.parse(text), '', current, known)) : text;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    })();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const listening = server.address();
  return {
    address: `http://127.0.0.1:${typeof listening === 'object' ? listening?.port : 0}`,
    places,
    spoil: (spoiling) => (current = spoiling),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const pathOf = (url = '') => (url.split('?')[0] ?? '').replace(/\/(sessions|computers)\/[^/]+/, '/$1/*');

function replaced(value: unknown, place: string, spoiling: Spoiling | undefined, places: Set<string>): unknown {
  if (typeof value === 'string') {
    places.add(place);
    return spoiling?.place === place ? spoiling.text : value;
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, `${place}.*`, spoiling, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // The names of such members are user texts, too.
      const isMap = /(^|\.)(report|apps|extraHeaders|extraArgs)$/.test(place);
      const inner = `${place}.${isMap ? '*' : name}`;
      if (isMap) places.add(`${place}.#name`);
      const isSpoiled = isMap && spoiling?.place === `${place}.#name`;
      return [isSpoiled ? spoiling.text : name, replaced(member, inner, spoiling, places)];
    }),
  );
}
