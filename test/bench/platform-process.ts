/** The simulated platform of a large organization in a process of its own, so that its work is not the bot's. */
import { z } from 'zod';
import { createMovableClock } from '../../src/sandbox/clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';

const settings = z.object({ PEOPLE: z.coerce.number().int(), TEST_NOW: z.coerce.date() }).parse(process.env);
const orderSchema = z.discriminatedUnion('order', [
  z.object({ order: z.literal('slow'), delayMs: z.number() }),
  z.object({ order: z.literal('count') }),
]);

const clock = createMovableClock(settings.TEST_NOW, { frozen: true });
const platform = await startPlatform({ clock, people: settings.PEOPLE });
let counted = 0;

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  if (order.order === 'slow') platform.faults.add({ kind: 'slow', delayMs: order.delayMs });
  else {
    process.send?.({ requests: platform.requests.slice(counted).map(({ path, query }) => ({ path, query })) });
    counted = platform.requests.length;
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.({ baseUrl: platform.baseUrl, apiKey: platform.apiKeys.manager });
