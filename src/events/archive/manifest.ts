import { join } from 'node:path';

import { z } from 'zod';

import { PermanentError, UsageError } from '../../platform/errors.ts';
import type { JsonObject } from '../../platform/json.ts';
import { readSealed, requireFormat, writeSealed } from '../../platform/sealed-file.ts';

/** What an archive of a log says of itself: its topics and partitions, what is there of each, and in which files. */

export const MANIFEST = 'manifest.json';
export const ARCHIVE_FORMAT = 1;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const file = z.object({
  /** Below the folder of the archive, with slashes. */
  path: z.string(),
  from: count,
  /** The position after the last one that it answers for. */
  to: count,
  records: count,
  /** Ranges of positions that the log could not give. */
  unreadable: count,
  /** Unix milliseconds, of the first and the last record; null where it has none. */
  first_time: z.number().nullable(),
  last_time: z.number().nullable(),
  bytes: count,
  /** Of the file as it lies there, compressed: what `sha256sum` prints. */
  sha256,
});

const partition = z.object({
  partition: count,
  /** The first position that was archived. */
  from: count,
  /** Where the next run begins. */
  to: count,
  records: count,
  /** Positions that had gone from the log before a run came to them. */
  gaps: z.array(z.object({ from: count, to: count })),
  /** The last record, and the SHA-256 of its line: by it the next run knows the log again. */
  last: z.object({ position: count, sha256 }).nullable(),
  files: z.array(file),
});

const topic = z.object({
  /** As the contract names it, without the prefix that it has in the log. */
  name: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,248}$/),
  retention_ms: z.number().nullable(),
  /** As many as the topic has, by number. */
  partitions: z.array(partition),
});

const manifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  kind: z.literal('archive'),
  created_at: z.string(),
  updated_at: z.string(),
  /** What stood before the topics' names in the log. */
  topic_prefix: z.string(),
  /** The time from which on records are here; null where it is from the log's beginning. */
  since: z.string().nullable(),
  topics: z.array(topic),
});

export type Manifest = z.infer<typeof manifest>;
export type ArchivedTopic = z.infer<typeof topic>;
export type ArchivedPartition = z.infer<typeof partition>;
export type ArchivedFile = z.infer<typeof file>;

/** `catalog.entries/0/0000000000000000-0000000000004999.ndjson.gz`, by the first position and the last. */
export function segmentPath(
  name: string,
  number: number,
  { from, to }: Pick<ArchivedFile, 'from' | 'to'>,
): string {
  const digits = (position: number): string => String(position).padStart(16, '0');
  return `${name}/${number}/${digits(from)}-${digits(to - 1)}.ndjson.gz`;
}

/** What `segmentPath` makes of a file's own name; what else lies in the folder of a partition is not ours. */
export const SEGMENT_NAME = /^\d{16}-\d{16}\.ndjson\.gz(?:\.partial)?$/;

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  await writeSealed(join(folder, MANIFEST), content);
}

/**
 * The kind that a folder's manifest names (`archive`, `backup`), with its content.
 * @throws {UsageError} where the folder has no manifest of ours.
 * @throws {PermanentError} where it is damaged.
 */
export async function readKind(
  folder: string,
): Promise<{ readonly kind: string; readonly body: JsonObject }> {
  const body = await readSealed(join(folder, MANIFEST));
  if (body) return { kind: kindOf(body), body };
  throw new UsageError(
    `There is no archive and no backup in ${folder}: ${MANIFEST} is missing. Name the folder that "archive" or "backup" was given.`,
  );
}

function kindOf({ kind }: JsonObject): string {
  return typeof kind === 'string' ? kind : JSON.stringify(kind ?? null);
}

/** @throws {PermanentError} where it is no manifest of an archive that this release reads. */
export function archiveManifest(folder: string, body: JsonObject): Manifest {
  const path = join(folder, MANIFEST);
  if (kindOf(body) !== 'archive')
    throw new PermanentError(`${path} is of the kind ${kindOf(body)}, and of no archive.`);
  requireFormat(path, body, ARCHIVE_FORMAT);
  const parsed = manifest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PermanentError(`${path} is wrong at ${issue?.path.join('.')}: ${issue?.message}.`);
  }
  for (const { name, partitions } of parsed.data.topics) {
    for (const { partition: number, files } of partitions) {
      const strange = files.find((one) => one.path !== segmentPath(name, number, one));
      // A file is read by the name that it must have: nothing in a manifest leads out of the folder.
      if (strange) throw new PermanentError(`${path} names a file that no archive has: ${strange.path}.`);
    }
  }
  return parsed.data;
}

/** The manifest of an archive; null where the folder has none. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const body = await readSealed(join(folder, MANIFEST));
  return body && archiveManifest(folder, body);
}
