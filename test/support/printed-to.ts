import { onTestFinished, vi } from 'vitest';

/** Keeps what is written to a stream until the test is over, and gives all of it so far. */
export function printedTo(name: 'stdout' | 'stderr'): () => string {
  let printed = '';
  const spy = vi.spyOn(process[name], 'write').mockImplementation((text) => (printed += String(text)) !== '');
  onTestFinished(() => spy.mockRestore());
  return () => printed;
}
