import { expect } from 'vitest';

import { runApi, type RunningApi } from './api.ts';
import { published } from './events.ts';
import { expectDocumented } from './openapi-validation.ts';
import { parseAnswer } from './wire.ts';

/** The API with short limits of time, for callers that misbehave on the wire. */

export const HOST = 'Host: x\r\n';
/** A request that goes on with further headers. */
export const TOP = `GET /api/v1/top HTTP/1.1\r\n${HOST}`;

/** It has one entry. */
export async function runStrictApi(): Promise<RunningApi> {
  const limits = { headersTimeoutMs: 1000, requestTimeoutMs: 5000, checkingIntervalMs: 50 };
  return await runApi({ limits }, published());
}

/** Holds the one answer to the shared error of the OpenAPI document, and the connection to having been closed. */
export async function expectRefused(text: string, status: number): Promise<void> {
  const answer = parseAnswer(text);
  expect(answer.status, text.slice(0, 300)).toBe(status);
  expect(answer.rest, 'a second answer').toBe('');
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('1000');
  const body = Buffer.from(answer.body, 'latin1');
  const response = new Response(body, { status, headers: answer.headers });
  expect(await expectDocumented(response, '/nothing')).toMatchObject({ error: { code: 'bad_request' } });
}
