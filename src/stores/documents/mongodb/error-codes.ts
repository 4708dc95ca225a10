import { MongoServerError, MongoWriteConcernError } from 'mongodb';

export const DUPLICATE_KEY = 11_000;
export const NAMESPACE_EXISTS = 48;
export const NAMESPACE_NOT_FOUND = 26;

/** What refuses a call, or a document, as it is. Every other code may pass: nobody can list what a server, a gateway
 * before it or a hosted service answers while it is in trouble. */
export const PERMANENT: ReadonlySet<number> = new Set([
  // Rights; majority reads that are switched off.
  13, 148,
  // A call that the server does not understand, or an index, option or command that it does not have.
  2, 9, 14, 20, 27, 59, 67, 68, 72, 73, 85, 86, 115, 238, 40_324, 40_414, 40_415,
  // A document that is not accepted: its form, its size, its keys.
  22, 52, 121, 10_334, 17_280, 17_419, 17_420,
  // What the caller handles, or does not expect: the three above.
  11_000, 48, 26,
]);

/** What passes soon: the adapter itself tries again before it says so. */
export const PASSING: ReadonlySet<number> = new Set([
  // Unreachable, or going away.
  6, 7, 89, 91, 202, 9001, 11_600, 11_601,
  // No primary, another primary, a primary that steps down.
  133, 189, 10_058, 10_107, 11_602, 13_435, 13_436,
  // Another write, lock or build was faster.
  24, 46, 112, 117, 12_586, 12_587,
  // Applied, and not confirmed by a majority: 64 and 100; too slow: 50, 262; not yet readable: 134.
  50, 64, 100, 134, 262,
  // Chunks moved between shards; a cursor that is gone.
  43, 63, 150, 13_388,
  // The disk or the memory is full for now, writes are held back, the server is overloaded.
  146, 14_031, 365, 371, 473,
  // What a query was planned or read with has changed meanwhile, or the time of its read is gone.
  175, 211, 237, 261, 279,
]);

export const ADVICE: Readonly<Record<number, string>> = {
  13: 'The user of CATALOG_DOCUMENTS_URL lacks a right: it needs readWrite on its database.',
  18: 'The user or the password in CATALOG_DOCUMENTS_URL is wrong, or the server cannot check it now.',
  148: 'MongoDB runs with enableMajorityReadConcern=false: start it without that setting.',
};

/** The server's code; null where the error is not of the server's making. */
export function codeOf(thrown: unknown): number | null {
  if (thrown instanceof MongoWriteConcernError) return Number(thrown.result['writeConcernError'].code);
  return thrown instanceof MongoServerError && typeof thrown.code === 'number' ? thrown.code : null;
}

/** What a call answers; undefined where it failed only because somebody else was first. */
export async function ignoreCode<T>(code: number, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (codeOf(thrown) !== code) throw thrown;
    return undefined;
  }
}
