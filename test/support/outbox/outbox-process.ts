/** The real outbox, with the real poster and Web API client, in a process of its own that a test can stop and continue. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { noCheckpoint } from '../../../src/core/base/checkpoint.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createOutbox } from '../../../src/core/outbox/attempts/worker.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { createChannels } from '../../../src/core/slack/outbound/channels/channels.ts';
import { createChartSupport } from '../../../src/core/slack/outbound/safe-message.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { readIdentity } from '../../../src/core/slack/client/identity.ts';
import { createPoster } from '../../../src/core/slack/outbound/poster.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const settings = z
  .object({
    DATABASE_URL: z.string(),
    SLACK_API_URL: z.string(),
    SLACK_BOT_TOKEN: z.string(),
    TIMES: z.string().transform((text) => JSON.parse(text)),
  })
  .parse(process.env);

const log = createLogger('warn', [], (line) => void process.stderr.write(line));
const store = await openStore(settings.DATABASE_URL);
const clients = createSlackClients(settings.SLACK_BOT_TOKEN, settings.SLACK_API_URL, log);
const { botUserId } = await readIdentity(clients.lookups);
const channels = createChannels({ lookups: clients.lookups, clock: systemClock, allowShared: true });
const outbox = createOutbox({
  db: store.db,
  engine: store.engine,
  commits: store.commits,
  clock: systemClock,
  poster: createPoster({ ...clients, botUserId, charts: createChartSupport(systemClock), channels, log }),
  kinds: {
    test: { prepare: ({ key }) => Promise.resolve({ kind: 'send', message: { text: markup`message of ${key}` } }) },
  },
  log,
  replica: randomUUID(),
  times: settings.TIMES,
  checkpoint: noCheckpoint,
});
outbox.start();
// This process gets no notification of new deliveries, so it polls often.
const looking = setInterval(() => outbox.poke(), 25);
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => {
  clearInterval(looking);
  void outbox
    .stop()
    .then(() => store.close())
    .then(() => process.exit(0));
});
process.send?.('ready');
