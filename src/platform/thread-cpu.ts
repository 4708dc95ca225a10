/** The CPU time that the calling thread has used, in milliseconds: what others make it wait for is not in it. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
