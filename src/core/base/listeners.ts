/**
 * What a part that is built first tells those that are built later, such as a fault of the store or an answer of the
 * platform: each of them adds its listener when it is built.
 */
export class Listeners {
  readonly #all: (() => void)[] = [];

  add(listener: () => void): void {
    this.#all.push(listener);
  }

  tell(): void {
    for (const listener of this.#all) listener();
  }
}
