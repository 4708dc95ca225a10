import type { DestinationStream } from 'pino';

import { visible } from './text/sanitize.ts';

const MINUTE_MS = 60_000;

/** A line of the log, as JSON has it. */
interface Entry {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/**
 * Takes the JSON lines of a log, and writes what somebody at a terminal wants of them: each warning once a minute, and one
 * line a minute on how requests were answered. Other `info` lines are left out: a command says on its own what it does.
 */
export function peopleLines(out: DestinationStream): DestinationStream {
  /** Warnings of this minute, by their messages. */
  const told = new Map<string, number>();
  const asked = new Map<number, number>();
  let timer: NodeJS.Timeout | null = null;

  const endMinute = (): void => {
    timer = null;
    const now = new Date().toISOString();
    if (asked.size > 0) out.write(`${clockTime(now)} ${requestsLine(asked)}\n`);
    for (const [message, times] of told)
      if (times > 1) out.write(`${clockTime(now)} ${message}: ${times - 1} more times\n`);
    asked.clear();
    told.clear();
  };
  const beginMinute = (): void => void (timer ??= setTimeout(endMinute, MINUTE_MS).unref());

  const take = (entry: Entry): void => {
    const { level, msg } = entry;
    for (const { status, requests } of requestsOf(entry)) {
      beginMinute();
      asked.set(status, (asked.get(status) ?? 0) + requests);
    }
    if (level === 'info') return;
    const times = (told.get(msg) ?? 0) + 1;
    // Whoever asks for more than warnings gets every line of it.
    const isQuiet = times > 1 && level !== 'debug' && level !== 'trace';
    if (!isQuiet) out.write(`${clockTime(entry.time)} ${LABELS[level] ?? level}: ${textOf(entry)}\n`);
    told.set(msg, times);
    beginMinute();
  };
  return {
    write: (lines) => {
      for (const line of lines.split('\n')) if (line !== '') take(JSON.parse(line) as Entry);
    },
  };
}

const LABELS: Readonly<Record<string, string>> = { warn: 'warning', fatal: 'error' };

function requestsOf({ msg, status, by }: Entry): readonly Requests[] {
  if (msg === 'request') return [{ status: Number(status), requests: 1 }];
  return msg === 'requests without lines of their own' ? (by as readonly Requests[]) : [];
}

interface Requests {
  readonly status: number;
  readonly requests: number;
}

/** `Requests of the last minute: 115 × 200, 3 × 404, 2 × 503.` */
function requestsLine(asked: ReadonlyMap<number, number>): string {
  const all = [...asked].sort(([a], [b]) => a - b).map(([status, requests]) => `${requests} × ${status}`);
  return `Requests of the last minute: ${all.join(', ')}.`;
}

/** Of the person's own clock. */
function clockTime(instant: string): string {
  return new Date(instant).toTimeString().slice(0, 8);
}

function textOf({ level: _level, time: _time, process: _process, pid: _pid, msg, ...fields }: Entry): string {
  const { err, ...others } = fields;
  const reason = (err as { readonly message?: string } | undefined)?.message;
  const said = Object.entries(reason === undefined ? others : { ...others, reason }).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  // Reading the JSON has undone what was escaped in it.
  return visible(said.length === 0 ? msg : `${msg} (${said.join(', ')})`);
}
