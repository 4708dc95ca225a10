import { createServer } from 'node:http';

import { type RunningServer, listenOn, type ListenOptions } from '../../platform/http-server.ts';
import type { Api } from '../app.ts';
import { createConnections } from './slow-and-idle-connections.ts';
import { LIMITS, MAX_HEADER_BYTES, maxConnections } from './limits.ts';
import { answerParserErrors } from './answer-parser-errors.ts';

/**
 * The public HTTP server. It answers what the parser refuses with the error object and headers of every error, exactly
 * once and after the answers that are still owed on that connection, and then closes it.
 */

export interface ListenApiOptions extends Omit<ListenOptions, 'variable'> {
  readonly limits?: Partial<typeof LIMITS>;
}

/** @throws {PermanentError} where the port or the address cannot be used. */
export async function listen(api: Api, options: ListenApiOptions): Promise<RunningServer> {
  const limits = { ...LIMITS, ...options.limits };
  const { requestTimeoutMs, headersTimeoutMs, checkingIntervalMs, keepAliveMs } = limits;
  // Node takes a connection for idle while a request on it has arrived in part: its caller is told so before that.
  const toldMs = headersTimeoutMs + 3 * checkingIntervalMs;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkingIntervalMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveTimeoutBuffer: Math.max(1000, toldMs - keepAliveMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node would answer without our body and headers; checkHostAndFraming looks instead.
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections();
  // A client that has ended its side and waits for the answer gets it. A property of Node that its types lack.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.timeout = requestTimeoutMs;
  const connections = createConnections(limits);
  server.on('request', (request, response) => {
    if (!connections.admit(request, response)) return;
    api.handle(request, response);
    // An answer that closes the connection says so before it waits for anything: what follows on it is no request.
    if (!response.shouldKeepAlive) connections.endAfter(request);
  });
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  server.on('timeout', (socket) => connections.cutIdle(socket));
  answerParserErrors(server, api, connections, requestTimeoutMs);
  let isCrowded = false;
  server.on('drop', () => (isCrowded = true));
  const looking = setInterval(() => {
    connections.cutSlow();
    if (isCrowded) connections.makePlace(limits.crowdedMs);
    isCrowded = false;
  }, checkingIntervalMs);
  looking.unref();
  server.once('close', () => {
    clearInterval(looking);
    api.accessLog.end();
  });
  return await listenOn(server, { ...options, variable: 'PORT' });
}
