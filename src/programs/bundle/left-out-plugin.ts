import type { Plugin } from 'rolldown';

/** Files of one package that the bot loads and never uses, each with an expression for the end of its path. */
interface LeftOut {
  packageName: string;
  files: readonly RegExp[];
  /** How many files of this version the expressions describe. */
  count: number;
  /** What may load them: if other code did, it could need them. Without it, anything may. */
  loadedBy?: RegExp;
}

const LEFT_OUT: readonly LeftOut[] = [
  // The receivers of Bolt, Express and the installation over OAuth: the bot has receivers of its own.
  {
    packageName: 'Bolt',
    files: [
      /\/@slack\/bolt\/dist\/receivers\/(?:AwsLambda|Express|HTTP|SocketMode)Receiver\.js$/,
      /\/@slack\/oauth\/dist\/index\.js$/,
      /\/raw-body\/index\.js$/,
    ],
    count: 6,
  },
  // Mocks, interceptors, caches, SOCKS, which the settings refuse, and a second parser that is behind a switch.
  {
    packageName: 'undici',
    files: [
      /\/undici\/lib\/(?:mock|interceptor|cache|milo)\/[^/]+\.js$/,
      /\/undici\/lib\/web\/(?:cookies\/index|eventsource\/eventsource|websocket\/stream\/websocketstream)\.js$/,
      /\/undici\/lib\/dispatcher\/(?:balanced-pool|round-robin-pool|(?:socks5-|env-http-)proxy-agent|retry-agent|h2c-client)\.js$/,
      /\/undici\/lib\/handler\/(?:retry|redirect)-handler\.js$/,
    ],
    count: 29,
    loadedBy: /\/undici\/(?:index|lib\/dispatcher\/(?:proxy-agent|parser-h1))\.js$/,
  },
];

const stub = (packageName: string) =>
  `module.exports = class { constructor() { throw new Error('The bundle leaves this part of ${packageName} out'); } };
module.exports.default = module.exports;`;

/**
 * Leaves code of packages out of the bundle: half of all that they load. A start reads and compiles less, and less stays in memory.
 *
 * @throws at the end of the build if a version of a package has other files, or if more of it needs them
 */
export function leftOutPlugin(): Plugin {
  const found = new Map<string, LeftOut>();
  return {
    name: 'left-out',
    load(id) {
      const part = LEFT_OUT.find(({ files }) => files.some((pattern) => pattern.test(id)));
      if (!part) return undefined;
      found.set(id, part);
      return stub(part.packageName);
    },
    buildEnd(error) {
      if (error) return;
      for (const part of LEFT_OUT) {
        const ids = [...found].filter(([, other]) => other === part).map(([id]) => id);
        if (ids.length !== part.count)
          throw new Error(`${part.packageName} has other files than this plugin knows. It found ${ids.join(', ')}.`);
        for (const id of ids) {
          const info = this.getModuleInfo(id);
          const others = [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])].filter(
            (importer) => part.loadedBy && !part.loadedBy.test(importer),
          );
          if (others.length > 0) throw new Error(`${id} is left out, and loaded by ${others.join(', ')}.`);
        }
      }
    },
  };
}
