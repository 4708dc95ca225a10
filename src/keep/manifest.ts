import { join } from 'node:path';
import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import { PermanentError, UsageError, codeOf, messageOf } from '../platform/errors.ts';
import { DATABASES, SECRETS } from './backed-up-files.ts';
import { digestOf } from '../platform/canonical.ts';
import { replaceFile } from '../platform/files/durable-files.ts';
import { isJsonObject, type Json, type JsonObject } from '../platform/json-value.ts';

/**
 * What is kept of an installation, an archive of its log or a backup of all of it, is a folder of files that never change,
 * and a manifest that names each of them with its digest. What no manifest names is not there.
 */

const MANIFEST = 'manifest.json';
export const FORMAT = 2;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const file = z.object({
  /** Below the folder, with slashes. */
  path: z.string(),
  bytes: count,
  /** Of the file as it lies there: what `sha256sum` prints. */
  sha256,
});

const segment = file.extend({
  from: count,
  /** The position after the last one that it answers for. */
  to: count,
  records: count,
  /** Ranges of positions that the log could not give. */
  unreadable: count,
});

const partition = z.object({
  partition: count,
  /** The first position that was archived. */
  from: count,
  /** Where the next run begins. */
  to: count,
  /** Positions that had gone from the log before a run came to them. */
  gaps: z.array(z.object({ from: count, to: count })),
  /** The last record, and the SHA-256 of its line: by it the next run knows the log again. */
  last: z.object({ position: count, sha256 }).nullable(),
  files: z.array(segment),
});

const topic = z.object({
  /** As the contract names it, without the prefix that it has in the log. */
  name: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,248}$/),
  retention_ms: z.number().nullable(),
  /** As many as the topic has, by number. */
  partitions: z.array(partition),
});

const archive = z.object({
  format: z.literal(FORMAT),
  kind: z.literal('archive'),
  created_at: z.string(),
  updated_at: z.string(),
  /** What stood before the topics' names in the log. */
  topic_prefix: z.string(),
  topics: z.array(topic),
});

const backup = z.object({
  format: z.literal(FORMAT),
  kind: z.literal('backup'),
  created_at: z.string(),
  // By names that a backup has, and no others: nothing in a manifest leads out of the folder.
  files: z
    .array(file.extend({ path: z.enum([...DATABASES, ...SECRETS]) }))
    .refine((files) => DATABASES.every((name) => files.some(({ path }) => path === name)), {
      error: 'a database is missing',
    }),
});

const manifest = z.discriminatedUnion('kind', [archive, backup]);

type Manifest = z.infer<typeof manifest>;
export type ArchiveManifest = z.infer<typeof archive>;
export type BackupManifest = z.infer<typeof backup>;
export type ArchivedPartition = z.infer<typeof partition>;
export type KeptFile = z.infer<typeof file>;
export type SegmentFile = z.infer<typeof segment>;

/** A folder with its manifest as it was when it was opened: what a later run adds does not show. */
export interface KeptFolder<Kind extends Manifest = Manifest> {
  readonly folder: string;
  readonly manifest: Kind;
}

/** `catalog.entries/0/0000000000000000.ndjson.gz`, by the first position. */
export function segmentPath(name: string, number: number, from: number): string {
  return `${name}/${number}/${String(from).padStart(16, '0')}.ndjson.gz`;
}

/** The files of an archive. */
export function segmentsOf({ topics }: ArchiveManifest): readonly SegmentFile[] {
  return topics.flatMap(({ partitions }) => partitions.flatMap(({ files }) => files));
}

/**
 * Writes it whole, or leaves the one before. Its last field is a digest of the rest: a changed byte in it is noticed.
 * @throws {PermanentError} where it cannot be written.
 */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = JSON.stringify({ ...content, digest: digestOf(content) }, null, 2);
  await replaceFile(join(folder, MANIFEST), `${text}\n`);
}

/**
 * The manifest of a folder; null where it has none.
 * @throws {PermanentError} where it is damaged, or none that this release reads.
 */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST);
  const body = await readSealed(path);
  if (!body) return null;
  const { format } = body;
  if (typeof format === 'number' && format < FORMAT)
    throw new PermanentError(
      `${path} has format ${format}, of an older release, and this one reads format ${FORMAT}. Restore it with that release, and make a new one.`,
    );
  if (format !== FORMAT)
    throw new PermanentError(
      `${path} has format ${JSON.stringify(format)}: a newer release made it. Run that release.`,
    );
  const parsed = manifest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PermanentError(`${path} is wrong at ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  if (parsed.data.kind === 'archive') requireOwnPaths(path, parsed.data);
  return parsed.data;
}

/** A file is read by the name that it must have: nothing in a manifest leads out of the folder. */
function requireOwnPaths(path: string, { topics }: ArchiveManifest): void {
  for (const { name, partitions } of topics) {
    for (const { partition: number, files } of partitions) {
      const strange = files.find((one) => one.path !== segmentPath(name, number, one.from));
      if (strange) throw new PermanentError(`${path} names a file that no archive has: ${strange.path}.`);
    }
  }
}

/**
 * @throws {UsageError} where the folder has no manifest of ours.
 * @throws {PermanentError} as `readManifest`.
 */
export async function openKeptFolder(folder: string): Promise<KeptFolder> {
  const found = await readManifest(folder);
  if (found) return { folder, manifest: found };
  throw new UsageError(
    `There is no archive and no backup in ${folder}: ${MANIFEST} is missing. Name the folder that "keep archive" or "keep backup" was given.`,
  );
}

export async function openArchive(folder: string): Promise<KeptFolder<ArchiveManifest>> {
  const { manifest: found } = await openKeptFolder(folder);
  if (found.kind === 'archive') return { folder, manifest: found };
  throw new PermanentError(`${folder} holds a ${found.kind}, and no archive.`);
}

/**
 * What was written, without the digest; null where there is no such file.
 * @throws {PermanentError} where it cannot be read, or is not what was written.
 */
async function readSealed(path: string): Promise<JsonObject | null> {
  let found: Json = null;
  try {
    found = JSON.parse(await readFile(path, 'utf8')) as Json;
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (!(cause instanceof SyntaxError))
      throw new PermanentError(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (!isJsonObject(found)) throw new PermanentError(`${path} is damaged: it is no JSON object.`);
  const { digest, ...body } = found;
  if (digest === digestOf(body)) return body;
  throw new PermanentError(
    `${path} is damaged or was changed by hand: its digest is not that of its content.`,
  );
}
