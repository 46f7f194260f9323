import type { Plugin } from 'rolldown';

/** The ES modules of date-fns can be bundled, and then only the used functions remain. */
export const dateFnsPlugin: Plugin = {
  name: 'date-fns',
  resolveId(source) {
    return source.endsWith('/date-fns.ts') ? this.resolve('date-fns') : undefined;
  },
};
