/** Tickets that are valid for a short time or a few uses: trigger ids and response URLs. */
import type { Identifiers } from './identifiers.ts';

const TRIGGER_LIFE_MS = 3000;
const RESPONSE_URL_LIFE_MS = 30 * 60_000;
const RESPONSE_URL_USES = 5;

export interface Trigger {
  person: string;
  /** The interaction came from inside a modal: views.push stacks the new view above it. */
  fromModal: boolean;
}

export interface ResponseTarget {
  person: string;
  channelId: string;
  threadTs: string | null;
  /** The message that was clicked; null for a command. */
  originalTs: string | null;
}

export class Tickets {
  readonly #triggers = new Map<string, Trigger & { madeMs: number; isUsed: boolean }>();
  readonly #responses = new Map<string, ResponseTarget & { madeMs: number; uses: number }>();
  readonly #identifiers: Identifiers;
  readonly #nowMs: () => number;

  /** @param nowMs the workspace's time, for response URLs; trigger ids use real time, like the app */
  constructor(identifiers: Identifiers, nowMs: () => number) {
    this.#identifiers = identifiers;
    this.#nowMs = nowMs;
  }

  makeTrigger(trigger: Trigger): string {
    const id = `${this.#identifiers.next('')}.${this.#identifiers.token(24)}`;
    this.#triggers.set(id, { ...trigger, madeMs: performance.now(), isUsed: false });
    return id;
  }

  /** Checks a trigger without using it: a refused view leaves it valid. */
  checkTrigger(
    id: string,
  ): (Trigger & { use: () => void }) | 'expired_trigger_id' | 'exchanged_trigger_id' | 'invalid_trigger_id' {
    const trigger = this.#triggers.get(id);
    if (!trigger) return 'invalid_trigger_id';
    if (trigger.isUsed) return 'exchanged_trigger_id';
    if (performance.now() - trigger.madeMs > TRIGGER_LIFE_MS) return 'expired_trigger_id';
    return {
      person: trigger.person,
      fromModal: trigger.fromModal,
      use: () => {
        trigger.isUsed = true;
      },
    };
  }

  makeResponseUrl(target: ResponseTarget): string {
    const id = this.#identifiers.token(24);
    this.#responses.set(id, { ...target, madeMs: this.#nowMs(), uses: 0 });
    return id;
  }

  useResponseUrl(id: string): ResponseTarget | 'used_url' | 'expired_url' {
    const response = this.#responses.get(id);
    if (!response || this.#nowMs() - response.madeMs > RESPONSE_URL_LIFE_MS) return 'expired_url';
    if (response.uses >= RESPONSE_URL_USES) return 'used_url';
    response.uses += 1;
    return response;
  }
}
