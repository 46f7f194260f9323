import type { Plugin } from 'rolldown';

const UNUSED = [
  /\/@slack\/bolt\/dist\/receivers\/(?:AwsLambda|Express|HTTP|SocketMode)Receiver\.js$/,
  /\/@slack\/oauth\/dist\/index\.js$/,
  /\/raw-body\/index\.js$/,
];
const UNUSED_FILES = 6;
const STUB = `exports.default = class { constructor() { throw new Error('The bundle leaves this part of Bolt out'); } };`;

/**
 * Leaves out what Bolt loads for its own receivers (Express, the installation over OAuth and more), a third of the code
 * of all packages. The bot has receivers of its own (`src/core/slack/receivers`).
 *
 * @throws at the end of the build if this version of Bolt has other files
 */
export function boltPlugin(): Plugin {
  const leftOut = new Set<string>();
  return {
    name: 'bolt',
    load(id) {
      if (!UNUSED.some((pattern) => pattern.test(id))) return undefined;
      leftOut.add(id);
      return STUB;
    },
    buildEnd(error) {
      if (!error && leftOut.size !== UNUSED_FILES)
        throw new Error(`Bolt has other files than this plugin knows. It found ${[...leftOut].join(', ')}.`);
    },
  };
}
