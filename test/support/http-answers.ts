/** What the bytes of answers say, each looked for in the first of them. */

export function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Of the day. */
export function leftOf(answer: string): number {
  return Number(/\r\nX-RateLimit-Remaining: (\d+)/.exec(answer)?.[1]);
}

/** The lines of requests that hold this text. */
export function linesWith(log: readonly string[], text: string): readonly string[] {
  return log.filter((line) => line.includes('"msg":"request"') && line.includes(text));
}
