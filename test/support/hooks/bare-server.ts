/** A server that accepts every request and does nothing: its cost is the cost of the machine. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().once('end', () => void response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
