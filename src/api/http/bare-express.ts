import type { IncomingMessage } from 'node:http';

import express, { type Express, type IRouter, type Request, Router } from 'express';

import { callerAddress } from './caller-address.ts';

/** A request as a router has it: Node's own. An application of Express would give it another prototype. */
export type RoutedRequest = IncomingMessage & Pick<Request, 'url' | 'method' | 'params'>;

/** Express for routing alone; headers, queries, tags and bodies are ours. */
export function bareRouter(): IRouter {
  return Router({ caseSensitive: true, strict: true });
}

/**
 * The address of whoever sends a request. `trustedProxies` are the addresses and subnets whose word counts for it; Express
 * would take whatever stands in the header for one.
 */
export function addressBehind(trustedProxies: readonly string[] = []): (request: IncomingMessage) => string {
  const app = express().set('trust proxy', trustedProxies.length > 0 && [...trustedProxies]);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (request) => callerAddress(request, (address) => isTrusted(address, 0));
}

/** The same as an application, for pages: `request.ip` is that address. */
export function bareExpress(trustedProxies: readonly string[] = []): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const addressOf = addressBehind(trustedProxies);
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return addressOf(this);
    },
  });
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}
