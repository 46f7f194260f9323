import type { Readings } from './reading.ts';

/** Returns the web addresses of the repositories with reports whose name ends in these parts. */
export type FindAddresses = (name: string) => Promise<readonly string[]>;

/** @example await findAddresses('acme/web') // ['https://git.acme.example/acme/web'] */
export const createFindAddresses =
  ({ all }: Pick<Readings, 'all'>): FindAddresses =>
  async (name) => {
    const tail = `/${name.toLowerCase()}`;
    const { repositories } = await all();
    return repositories.flatMap(({ repository: { key, url } }) =>
      url !== undefined && `/${key}`.endsWith(tail) ? [url] : [],
    );
  };
