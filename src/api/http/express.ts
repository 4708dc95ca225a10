import express, { type Express, type Request } from 'express';

import { callerAddress } from './caller-address.ts';

/**
 * Express for routing and for the address of whoever asks; headers, queries, tags and bodies are ours. `trustedProxies` are
 * the addresses and subnets whose word counts for that address.
 */
export function bareExpress(trustedProxies: readonly string[] = []): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies.length > 0 && [...trustedProxies]);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  // Express would take whatever stands in the header for an address.
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return callerAddress(this, (address) => isTrusted(address, 0));
    },
  });
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}
