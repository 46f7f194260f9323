import type { Fault } from '../people/control-types.ts';

/** A fault, in the same process also with a condition on the call's arguments. */
export interface FaultRule extends Fault {
  when?: (args: Record<string, unknown>) => boolean;
}

/** The faults that are switched on. */
export class Faults {
  #rules: (FaultRule & { left: number })[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Switches a fault on.
   *
   * @example
   * slack.faults.add({ method: 'chat.postMessage', kind: 'lost_answer', times: 1 });
   */
  add(rule: FaultRule): void {
    this.#rules.push({ ...rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault that hits this call, used up by one. */
  take(method: string, args: Record<string, unknown>): FaultRule | undefined {
    return this.#takeWhere((rule) => (rule.method === method || rule.method === '*') && (rule.when?.(args) ?? true));
  }

  /** The fault that hits an acknowledgement of a submission, which is no call: `*` does not mean it. */
  takeOfAcknowledgement(): FaultRule | undefined {
    return this.#takeWhere(({ method }) => method === 'acknowledgement');
  }

  #takeWhere(isMeant: (rule: FaultRule) => boolean): FaultRule | undefined {
    const hit = this.#rules.find(
      (rule) => rule.left > 0 && isMeant(rule) && (rule.probability === undefined || this.#random() < rule.probability),
    );
    if (hit) hit.left -= 1;
    return hit;
  }
}
