import { connect } from 'node:net';
import { createServer } from 'node:tls';

/** Serves a port of this machine over TLS, as a load balancer does. */
export async function startTlsFront(
  certificate: { key: string; cert: string },
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createServer(certificate, (socket) => {
    const onward = connect(port, '127.0.0.1');
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('close', () => sockets.delete(one));
      one.on('error', () => one.destroy());
    }
    socket.pipe(onward).pipe(socket);
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
