/** Preloaded into a bot process: its log names each package of the Model Context Protocol that it loads. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, loadNext) => {
    const [, name] = /node_modules\/(@modelcontextprotocol\/[^/]+)\//.exec(url) ?? [];
    if (name !== undefined) process.stderr.write(`Loaded a module of ${name}\n`);
    return loadNext(url, context);
  },
});
