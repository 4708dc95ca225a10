import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An authority of a test's own, and what it has certified for this machine. */
export interface Certificates {
  /** The authority's certificate, a PEM file. */
  readonly ca: string;
  /** A PKCS #12 file with the key and certificate of a server on `localhost`. */
  readonly keystore: string;
  readonly password: string;
}

/** By the JDK's own tool: whoever can run Kafka has it. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const password = 'of-no-secret';
  const ca = join(folder, 'ca.pem');
  const authority = join(folder, 'ca.p12');
  const keystore = join(folder, 'broker.p12');
  const request = join(folder, 'broker.csr');
  const certificate = join(folder, 'broker.pem');
  const keytool = (store: string, ...args: readonly string[]) =>
    run('keytool', ['-keystore', store, '-storetype', 'PKCS12', '-storepass', password, ...args]);
  const key = ['-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '30'];
  const sans = ['-ext', 'san=dns:localhost,ip:127.0.0.1'];
  await Promise.all([
    keytool(authority, '-genkeypair', '-alias', 'ca', '-dname', 'CN=tests', '-ext', 'bc:c', ...key),
    keytool(keystore, '-genkeypair', '-alias', 'broker', '-dname', 'CN=localhost', ...key),
  ]);
  await keytool(authority, '-exportcert', '-rfc', '-alias', 'ca', '-file', ca);
  await keytool(keystore, '-certreq', '-alias', 'broker', '-file', request);
  const signed = ['-infile', request, '-outfile', certificate, '-validity', '30', ...sans];
  await keytool(authority, '-gencert', '-rfc', '-alias', 'ca', ...signed);
  await keytool(keystore, '-importcert', '-noprompt', '-alias', 'ca', '-file', ca);
  await keytool(keystore, '-importcert', '-alias', 'broker', '-file', certificate);
  return { ca, keystore, password };
}
