import { createServer } from 'node:http';

import type { Canned } from './messages.ts';
import { portOf, tellParent } from './told.ts';

/** The least that Node takes to send these bytes with these headers. */
const { status, headers, body } = JSON.parse(process.argv[2] ?? '') as Canned;
const bytes = Buffer.from(body);

const server = createServer((_request, response) => {
  response.writeHead(status, [...headers]);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => tellParent({ port: portOf(server), keys: [] }));
