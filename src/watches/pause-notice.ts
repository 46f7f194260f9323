import { z } from 'zod';
import { declareOwnerNotice } from '../outbox/owner-notices.ts';

const pauseSchema = z.object({ channel: z.string(), subjects: z.array(z.string()), reason: z.string() });
export type Pause = z.infer<typeof pauseSchema>;

export const pauseNotice = (kind: string) => declareOwnerNotice(`${kind}-watch`, pauseSchema);
