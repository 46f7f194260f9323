import type { z } from 'zod';
import type { DeliveryKind, Preparation } from './attempt.ts';
import type { Delivery } from './delivery-table.ts';

/** A kind of delivery by the shape of its payload, and what makes its message of that. */
export function deliveryOf<About>(
  schema: z.ZodType<About>,
  prepare: (about: About, delivery: Delivery) => Promise<Preparation>,
): DeliveryKind {
  return { prepare: (delivery) => prepare(schema.parse(JSON.parse(delivery.payload)), delivery) };
}
