import { AsyncLocalStorage } from 'node:async_hooks';

const unhurried = new AsyncLocalStorage<true>();

/**
 * Runs writes that may be lost in a power cut, such as facts that can be read again: with SQLite, they wait for no slow
 * disk. Everybody can read them at once, and the next write that waits for the disk puts them there too.
 */
export const withoutWaitingForDisk = <Result>(run: () => Promise<Result>): Promise<Result> => unhurried.run(true, run);

export const mayBeLost = (): boolean => unhurried.getStore() === true;
