import type { PostOutcome } from '../../../src/core/outbox/poster.ts';
import type { Settlement } from '../../../src/core/outbox/deliveries.ts';
import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { createChannels } from '../../../src/core/slack/outbound/channels/channels.ts';
import { createChartSupport } from '../../../src/core/slack/outbound/safe-message.ts';
import { createPoster } from '../../../src/core/slack/outbound/poster.ts';
import type { Database } from '../../../src/core/store/tables.ts';
import type { KindsScene } from '../../support/outbox/kinds-scene.ts';
import { FakeChannel } from '../../support/outbox/outbox-scene.ts';

const log = createLogger('fatal', []);

/** The outcome that the real poster gives to the outbox for a post that Slack refuses with each code. */
export async function outcomesOf(
  { slack, clock }: Pick<KindsScene, 'slack'> & { clock: Clock },
  codes: readonly string[],
): Promise<Map<string, PostOutcome>> {
  const clients = createSlackClients(slack.botToken, slack.apiUrl, log);
  const poster = createPoster({
    ...clients,
    botUserId: 'U0QUARTERMASTER',
    charts: createChartSupport(clock),
    channels: createChannels({ ...clients, clock, allowShared: false }),
    log,
  });
  const outcomes = new Map<string, PostOutcome>();
  for (const code of codes) {
    slack.faults.add({ method: 'chat.postMessage', kind: 'error', error: code });
    outcomes.set(code, await poster.post('C0PLATFORM', `refused:${code}`, { text: markup`RequestRef` }));
    slack.faults.clear();
  }
  return outcomes;
}

class RolledBack extends Error {}

/** The messages that follow when a message ends in a given way, by their kinds; the transaction is rolled back. */
export async function whatFollows(
  { app, clock }: KindsScene,
  db: Database,
  delivery: Delivery,
  settlement: Settlement,
): Promise<string[]> {
  const kinds: string[] = [];
  const ended = db.transaction().execute(async (trx) => {
    const keys = async () => trx.selectFrom('deliveries').select(['key', 'kind', 'state']).execute();
    await trx.updateTable('deliveries').set({ state: settlement.state }).where('key', '=', delivery.key).execute();
    const before = new Set((await keys()).map(({ key, state }) => `${key} ${state}`));
    await app.messageKinds[delivery.kind]?.onSettled?.(trx, delivery, settlement, clock.now());
    kinds.push(...(await keys()).filter(({ key, state }) => !before.has(`${key} ${state}`)).map(({ kind }) => kind));
    throw new RolledBack();
  });
  await ended.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return kinds;
}

/** Refuses the first post of each message with a code of its own, and accepts all others. */
export class RefusingChannel extends FakeChannel {
  readonly refused = new Set<string>();
  readonly #refusals: ReadonlyMap<string, PostOutcome>;

  /** @param refusals by the key of the message */
  constructor(now: () => Date, refusals: ReadonlyMap<string, PostOutcome>) {
    super(now);
    this.#refusals = refusals;
  }

  override post(...[channel, key, message, deadline]: Parameters<FakeChannel['post']>): Promise<PostOutcome> {
    const refusal = this.refused.has(key) ? undefined : this.#refusals.get(key);
    if (!refusal) return super.post(channel, key, message, deadline);
    this.refused.add(key);
    return Promise.resolve(refusal);
  }
}
