import type { Fault } from '../people/control-types.ts';

/** A fault; within the process it may have a condition on the call's arguments. */
export interface FaultRule extends Fault {
  when?: (args: Record<string, unknown>) => boolean;
}

export class Faults {
  #rules: (FaultRule & { remainingUses: number })[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Adds a fault.
   *
   * @example
   * slack.faults.add({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
   */
  add(rule: FaultRule): void {
    this.#rules.push({ ...rule, remainingUses: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules = [];
  }

  /** Returns the fault for this call, and counts it as used once. */
  take(method: string, args: Record<string, unknown>): FaultRule | undefined {
    return this.#takeWhere((rule) => (rule.method === method || rule.method === '*') && (rule.when?.(args) ?? true));
  }

  /** Returns the fault for the acknowledgement of a submission. It is no call, so `*` does not include it. */
  takeForAcknowledgement(): FaultRule | undefined {
    return this.#takeWhere(({ method }) => method === 'acknowledgement');
  }

  #takeWhere(isMeant: (rule: FaultRule) => boolean): FaultRule | undefined {
    const hit = this.#rules.find(
      (rule) =>
        rule.remainingUses > 0 &&
        isMeant(rule) &&
        (rule.probability === undefined || this.#random() < rule.probability),
    );
    if (hit) hit.remainingUses -= 1;
    return hit;
  }
}
