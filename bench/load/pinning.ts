import { spawnSync } from 'node:child_process';

/** What is measured has one core and the load another one, so that it disturbs it as little as it can. */
export const MEASURED_CORE = 0;
export const LOAD_CORE = 1;

/** Keeps a process on one core where the system has a way to. */
export function pin(pid: number | undefined, core: number): void {
  if (process.platform === 'linux') spawnSync('taskset', ['-a', '-p', '-c', String(core), String(pid)]);
}
