import { createServer } from 'node:http';

import { createAdmin, type AdminOptions } from '../admin/app.ts';
import { allowedHosts } from '../admin/hosts.ts';
import type { Parts } from './parts.ts';
import { listenOn, type RunningServer } from '../platform/http-server.ts';

/** Listens on the admin port: health and metrics, for operators alone. */
export function serveAdmin({ config, logger }: Parts, options: AdminOptions): Promise<RunningServer> {
  const { adminHost, adminAllowedHosts: names } = config;
  const isAllowedHost = allowedHosts({ adminHost, names });
  const server = createServer(createAdmin({ ...options, logger, isAllowedHost }));
  return listenOn(server, { port: config.adminPort, host: config.adminHost, variable: 'ADMIN_PORT' });
}
