import { runApi, type RunningApi, type RunOptions } from './api.ts';
import { LISTINGS } from './collections.ts';
import { published, unpublished } from './events.ts';
import { Line } from './line.ts';

/** Listings that nobody has asked for yet, and connections on which they can be answered at the socket. */

export const SLUGS = Array.from({ length: 300 }, (_, index) => `entry-${index}`);
const LONG = { en: 'News '.repeat(300), ru: 'Новости '.repeat(300) };

/** Far from being used up. */
export const DAILY_LIMIT = 1_000_000;

/** With the listings of `SLUGS`, and one, `gone`, that is published no more. */
export async function runListings(options: RunOptions = {}): Promise<RunningApi> {
  const api = await runApi({ dailyLimit: DAILY_LIMIT, ...options });
  await api.project(
    ...SLUGS.map((subject, index) =>
      published({
        subject,
        username: subject.replaceAll('-', '_'),
        ...(index % 3 === 0 ? { description: LONG } : {}),
      }),
    ),
    published({ subject: 'gone', username: 'gone_one' }),
    unpublished({ subject: 'gone', revision: 2 }),
  );
  return api;
}

export const pathOf = (slug: string): string => `/api/v1/listings/${slug}`;

export function bytesOf(key: string, path: string, ...more: readonly string[]): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n${more.map((field) => `${field}\r\n`).join('')}\r\n`;
}

/** A connection that has begun, whose header fields are known, and of whose key something is held. */
export async function warmLine(api: RunningApi, ...more: readonly string[]): Promise<Line> {
  const line = new Line(api.port);
  for (let time = 0; time < 4; time += 1) await line.ask(bytesOf(api.key, pathOf('entry-0'), ...more));
  return line;
}

/** Reads of listings wait until they are let go. */
export interface HeldReads {
  /** Until one waits. */
  readonly begun: Promise<void>;
  readonly letGo: () => void;
}

export function holdReads({ documents }: RunningApi): HeldReads {
  const get = documents.get.bind(documents);
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const held: typeof get = async (collection, ids) => {
    if (collection === LISTINGS) {
      begun.resolve();
      await gate.promise;
    }
    return await get(collection, ids);
  };
  Object.assign(documents, { get: held });
  return {
    begun: begun.promise,
    letGo: () => {
      gate.resolve();
      Object.assign(documents, { get });
    },
  };
}
