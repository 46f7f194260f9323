import type { McpHandler } from './mcp-server.ts';

export interface LoadedServer {
  /** Creates the server on the first call. A failed creation is not kept, so the next call tries again. */
  get(): Promise<McpHandler>;
  /** Closes the server if one was created. */
  close(): Promise<void>;
}

export function loadedServer(create: () => Promise<McpHandler>): LoadedServer {
  let server: Promise<McpHandler> | undefined;
  return {
    get: async () => {
      const current = (server ??= create());
      try {
        return await current;
      } catch (error) {
        if (server === current) server = undefined;
        throw error;
      }
    },
    close: async () => {
      await (await server)?.close();
    },
  };
}
