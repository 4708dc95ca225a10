import type { Checked, DamagedFile } from '../../../events/archive/check.ts';
import type { ArchivedTopic } from '../../../events/archive/manifest.ts';
import type { Archived } from '../../../events/archive/writing.ts';
import { counted, duration, number } from '../../../platform/amounts.ts';
import { note, print, printJson } from '../../output.ts';
import { table } from '../../table.ts';

/** What `archive` says of what it wrote, and of what it found. */

export function reportArchived(archived: Archived, tookMs: number, json: boolean | undefined): void {
  const { manifest, records, files, gaps, interrupted } = archived;
  const topics = manifest.topics.map((topic) => ({ name: topic.name, ...sizeOf(topic) }));
  const total = topics.reduce((sum, topic) => sum + topic.records, 0);
  if (json) {
    const { since } = manifest;
    const took_ms = Math.round(tookMs);
    printJson({ records, files, total_records: total, since, topics, gaps, interrupted, took_ms });
    return;
  }
  const columns = {
    topic: 'name',
    partitions: 'partitions',
    files: 'files',
    records: 'records',
    unreadable: 'unreadable',
    bytes: 'bytes',
  } as const;
  print([...table(columns, topics), '']);
  for (const { topic, partition, from, to } of gaps) {
    print(
      `GAP ${topic}/${partition}: positions ${from} to ${to - 1} had gone from the log before they were archived.`,
    );
  }
  print(
    `${counted(records, 'record')} archived in ${duration(tookMs)}, in ${counted(files, 'new file')}; the archive has ${number(total)}.`,
  );
  if (interrupted) note('catalog: stopped before everything was archived: the next run goes on.');
}

function sizeOf({ partitions }: ArchivedTopic) {
  const files = partitions.flatMap((partition) => partition.files);
  const sum = (field: 'records' | 'unreadable' | 'bytes'): number =>
    files.reduce((all, file) => all + file[field], 0);
  return {
    partitions: partitions.length,
    files: files.length,
    records: sum('records'),
    unreadable: sum('unreadable'),
    bytes: sum('bytes'),
  };
}

export function isWhole({ damaged }: Checked): boolean {
  return damaged.length === 0;
}

export function reportChecked(checked: Checked, interrupted: boolean, json: boolean | undefined): void {
  const { files, records, readable, damaged } = checked;
  if (json) {
    const ok = isWhole(checked) && !interrupted;
    return printJson({ ok, files, records, readable, damaged: damaged.map(document), interrupted });
  }
  for (const one of damaged) print(damageLine(one));
  if (isWhole(checked)) print(`All of ${counted(files, 'file')} are whole: ${counted(records, 'record')}.`);
  else print(damageSummary(checked));
  if (interrupted) note('catalog: stopped before everything was looked at.');
}

function document({ first, places, records, readable }: DamagedFile): object {
  return { ...first, places, records, readable };
}

/** `DAMAGED catalog.entries/0/....ndjson.gz, line 17: it is not as it was written. ...` */
export function damageLine({
  first: { path, line, problem },
  places,
  records,
  readable,
}: DamagedFile): string {
  const where = line === null ? '' : `, line ${number(line)}`;
  const more = places > 1 ? ` (and ${counted(places - 1, 'more place')})` : '';
  return `DAMAGED ${path}${where}: ${problem}${more}. ${number(readable)} of its ${counted(records, 'record')} can be read.`;
}

export function damageSummary({ files, records, readable, damaged }: Checked): string {
  return `${number(files - damaged.length)} of ${counted(files, 'file')} are whole; ${number(readable)} of ${counted(records, 'record')} can be read.`;
}
