/**
 * A platform of any number of people in a process of its own. It computes each row of a person when it is requested, and
 * passes all other requests on to the simulated platform of a small organization.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { daysOf, type Day } from '../../src/core/base/time/calendar.ts';

const settings = z.object({ PEOPLE: z.coerce.number().int(), TEST_NOW: z.coerce.date() }).parse(process.env);
const orderSchema = z.discriminatedUnion('order', [
  z.object({ order: z.literal('slow'), delayMs: z.number() }),
  z.object({ order: z.literal('count') }),
]);
const periodSchema = z.object({
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  limit: z.coerce.number().default(100),
  cursor: z.coerce.number().default(0),
});

const PEOPLE_OF_SMALL_ORGANIZATION = 50;
const LARGEST_DAILY_CREDITS = 200_000;
/** People who are active on a workday, of ten. */
const ACTIVE_OF_TEN = 7;

const clock = createMovableClock(settings.TEST_NOW, { frozen: true });
const small = await startPlatform({ clock, people: PEOPLE_OF_SMALL_ORGANIZATION });
let delayMs = 0;
let counted: { path: string; query: Record<string, string> }[] = [];

/** The same pseudo-random number for the same person and day. */
function numberOf(person: number, day: Day): number {
  const seed = (Math.imul(person + 1, 2_654_435_761) ^ Math.imul(Number(day.replaceAll('-', '')), 40_503)) >>> 0;
  return Math.imul(seed ^ (seed >>> 15), 2_246_822_519) >>> 0;
}

const isActive = (person: number, day: Day) => numberOf(person, day) % 10 < ACTIVE_OF_TEN;
const creditsOf = (person: number, day: Day) => numberOf(person, day) % LARGEST_DAILY_CREDITS;
const identityOf = (person: number) =>
  `"user_id":"user_${String(person).padStart(8, '0')}","user_email":"person.${person}@acme.example"`;

function* activeOn(day: Day, from = 0): Generator<number> {
  for (let person = from; person < settings.PEOPLE; person += 1) if (isActive(person, day)) yield person;
}

function tokensOf(day: Day): string {
  const rows: string[] = [];
  let sum = 0;
  for (const person of activeOn(day)) {
    const credits = creditsOf(person, day);
    sum += credits;
    rows.push(`{${identityOf(person)},"billable_tokens":${credits},"by_model":[]}`);
  }
  const tokens = `"billable_tokens":${sum},"input_tokens":${sum},"output_tokens":${sum}`;
  const models = `"by_model":[{"model_id":"model-a","model_tier":"standard",${tokens}}]`;
  return `{"date":"${day}",${tokens},"cache_read_tokens":0,"cache_write_tokens":0,${models},"by_user":[${rows.join(',')}]}`;
}

function creditsByModel(day: Day): string {
  let sum = 0;
  for (const person of activeOn(day)) sum += creditsOf(person, day);
  return `{"date":"${day}","group_key":"model-a","billable_tokens":${sum},"input_tokens":${sum},"output_tokens":${sum}}`;
}

const userOf = (person: number, day: Day) =>
  `{${identityOf(person)},"date":"${day}","tool_calls":120,"billable_tokens":${creditsOf(person, day)},"primary_model":"model-a","primary_model_tier":"standard","files_created":3,"files_edited":14,"git_commits":2,"git_prs_created":1,"mcp_calls":5,"skill_calls":1,"slash_commands":2,"hooks":0,"sessions":4,"messages":80,"user_messages":20,"assistant_messages":60,"autonomy_ratio":0.8,"delegation_level":"auto-high","languages":["typescript","python"]}`;

function usersPage({ startDate: day, limit, cursor }: z.infer<typeof periodSchema>): string {
  const rows: string[] = [];
  let next: number | undefined;
  for (const person of activeOn(day, cursor)) {
    if (rows.length === limit) {
      next = person;
      break;
    }
    rows.push(userOf(person, day));
  }
  const more = next === undefined ? '"has_more":false' : `"has_more":true,"next_cursor":"${next}"`;
  return `{"data":[${rows.join(',')}],"meta":{${more}}}`;
}

const envelopeOf = (rows: readonly string[]) => `{"data":[${rows.join(',')}],"meta":{}}`;

/** @returns undefined for a request that the small organization answers */
function answerOf({ pathname, searchParams }: URL): string | undefined {
  const resource = pathname.split('/api/v1/analytics/')[1];
  if (resource !== 'tokens' && resource !== 'users') return undefined;
  const query = periodSchema.parse(Object.fromEntries(searchParams));
  if (resource === 'users') return usersPage(query);
  const rowOf = searchParams.get('group_by') === 'model' ? creditsByModel : tokensOf;
  return envelopeOf(daysOf({ first: query.startDate, last: query.endDate }).map((day) => rowOf(day)));
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '', 'http://platform.example');
  counted.push({ path: url.pathname, query: Object.fromEntries(url.searchParams) });
  if (delayMs > 0) await delay(delayMs);
  const body = answerOf(url);
  if (body !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return;
  }
  const passedOn = request(
    new URL(incoming.url ?? '', small.baseUrl),
    { method: incoming.method, headers: incoming.headers },
    (from) => {
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    },
  );
  passedOn.once('error', (error) => response.destroy(error));
  incoming.pipe(passedOn);
}

const server = createServer((incoming, response) => {
  answer(incoming, response).catch((error: unknown) => {
    response.writeHead(400).end(String(error));
  });
});

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  if (order.order === 'slow') ({ delayMs } = order);
  else {
    process.send?.({ requests: counted });
    counted = [];
  }
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}`, apiKey: small.apiKeys.manager });
});
