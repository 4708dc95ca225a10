/** What the bytes of answers say, each looked for in the first of them. */

export function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Of the day. */
export function leftOf(answer: string): number {
  return Number(/\r\nX-RateLimit-Remaining: (\d+)/.exec(answer)?.[1]);
}

export function costOf(answer: string): number {
  return Number(/\r\nX-RateLimit-Cost: (\d)/.exec(answer)?.[1]);
}

export function idOf(answer: string): string {
  return /\r\nX-Request-Id: ([^\r]+)/.exec(answer)?.[1] ?? '';
}

/** The line of its request in the access log, without what differs between two of the same; `none` where it has none. */
export function lineOf(log: readonly string[], answer: string): string {
  const line = log.find((one) => one.includes(`"requestId":"${idOf(answer)}"`)) ?? 'none';
  return line
    .replace(idOf(answer), '(id)')
    .replace(/"durationMs":[\d.]+/, '"durationMs":0')
    .replace(/"time":"[^"]+"/, '"time":"now"');
}

/** The lines of requests that hold this text. */
export function linesWith(log: readonly string[], text: string): readonly string[] {
  return log.filter((line) => line.includes('"msg":"request"') && line.includes(text));
}
