/** A server that takes what is posted and does nothing: what it costs is what the machine costs. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().once('end', () => void response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
