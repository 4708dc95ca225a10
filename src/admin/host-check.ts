import { isIP } from 'node:net';

/**
 * Whether a `Host` header may be answered. A page in an operator's browser can be made to reach this port under a name
 * of its own (DNS rebinding), and would then read what is here: so names have to be known. An address is no name that
 * anybody else could have pointed here, and is welcome wherever this port is meant to be reached from elsewhere.
 */
export type IsAllowedHost = (host: string | undefined) => boolean;

/** `adminHost`: the address that the port listens on. `names`: further ones; `*` for any. */
export function allowedHosts(adminHost: string, names: readonly string[]): IsAllowedHost {
  const known = new Set([...LOOPBACK, adminHost, ...names].map((name) => name.toLowerCase()));
  const isLocal = LOOPBACK.has(adminHost.toLowerCase());
  return (host) => {
    // HTTP/1.0 needs none, and every browser sends one.
    if (host === undefined || host === '' || known.has('*')) return true;
    const name = nameOf(host);
    return known.has(name) || (!isLocal && isIP(name) !== 0);
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Without the port, the brackets of an IPv6 address and the dot at the end of a whole name. */
function nameOf(host: string): string {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (address ?? name.replace(/\.$/, '')).toLowerCase();
}
