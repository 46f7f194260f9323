import { expect, test, vi } from 'vitest';
import { loadedServer } from '../../../../src/features/ask/mcp/loaded-server.ts';
import type { McpHandler } from '../../../../src/features/ask/mcp/mcp-server.ts';

const handler = (): McpHandler => ({
  fetch: () => Promise.resolve(new Response()),
  close: () => Promise.resolve(),
});

test('a server that could not be loaded is loaded again for the next call', async () => {
  const created = handler();
  const create = vi
    .fn<() => Promise<McpHandler>>()
    .mockRejectedValueOnce(new Error('EMFILE'))
    .mockResolvedValue(created);
  const server = loadedServer(create);
  const failures = await Promise.allSettled([server.get(), server.get()]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(create).toHaveBeenCalledTimes(1);
  expect(await server.get()).toBe(created);
  expect(await server.get()).toBe(created);
  expect(create).toHaveBeenCalledTimes(2);
});

test('a server is closed only if it was loaded', async () => {
  const close = vi.fn<() => Promise<void>>().mockResolvedValue();
  const server = loadedServer(() => Promise.resolve({ ...handler(), close }));
  await server.close();
  expect(close).not.toHaveBeenCalled();
  await server.get();
  await server.close();
  expect(close).toHaveBeenCalledTimes(1);
});

test('a server that could not be loaded does not keep the program from stopping', async () => {
  const server = loadedServer(() => Promise.reject(new Error('EMFILE')));
  await expect(server.get()).rejects.toThrow('EMFILE');
  await expect(server.close()).resolves.toBeUndefined();
});
