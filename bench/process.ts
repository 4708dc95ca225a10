import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used so far, by Linux's /proc. */
export interface Used {
  /** Processor time of all threads, in milliseconds. */
  readonly cpuMs: number;
  /** How often its threads have gone to sleep of their own accord, and so been woken. */
  readonly wakeUps: number;
  /** Memory that is resident now, in MB. */
  readonly residentMb: number;
}

/**
 * The most memory that this process has had, in bytes. Not what `getrusage` says: to Linux that begins with what the process had
 * that started this one.
 *
 * @throws where the system has no /proc.
 */
export function peakMemory(): number {
  return fieldOf('/proc/self/status', 'VmHWM') * 1024;
}

/** @throws where the system has no /proc, or the process has ended. */
export function usedBy(pid: number): Used {
  const folder = `/proc/${pid}/task`;
  let [cpuMs, wakeUps] = [0, 0];
  for (const thread of readdirSync(folder)) {
    // Nanoseconds on a processor, exact; the usual stat counts in hundredths of a second.
    cpuMs += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    wakeUps += fieldOf(`${folder}/${thread}/status`, 'voluntary_ctxt_switches');
  }
  return { cpuMs, wakeUps, residentMb: fieldOf(`/proc/${pid}/status`, 'VmRSS') / 1000 };
}

function fieldOf(file: string, name: string): number {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return Number.parseInt(line?.split(':')[1] ?? '', 10);
}
