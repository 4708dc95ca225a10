import { z } from 'zod';

import type { CloudEvent } from './envelope.ts';
import { REJECTION_CODES, type RejectionCode } from './rejection.ts';

/** What upstream is told of an event that was refused: we publish it, so this is no `EventType`. */

export const REJECTED_TYPE = 'catalog.event.rejected';

const received = z
  .string()
  .nullable()
  .meta({ description: 'Of what was refused; null where it could not be read.' });

export const rejectedData = z.object({
  code: z.enum(Object.keys(REJECTION_CODES) as RejectionCode[]).meta({ description: 'For programs.' }),
  reason: z.string().max(500).meta({ description: 'For people, on one line.' }),
  id: received,
  source: received,
  type: received,
  subject: received,
  read_model: z.string().meta({ description: 'Which read model could not use it.' }),
  topic: z.string().meta({ description: 'Where the record stands.' }),
  partition: z.int().min(0),
  position: z.int().min(0),
  to: z.int().min(1).optional().meta({
    description: 'Where a range of positions could not be read: the position after its last one.',
  }),
});
export type RejectedData = z.infer<typeof rejectedData>;

/** Longer than any id that we announce. */
const LONGEST_ID = 1024;

const announced = z.object({
  type: z.templateLiteral([REJECTED_TYPE, '.v', z.int().min(1)]),
  id: z.string().max(LONGEST_ID),
  // A newer release may refuse for reasons that this one does not know.
  data: rejectedData.extend({ code: z.string() }),
});

/** What a record on the topic of rejections announces; null where it is no announcement: anybody may write there. */
export function readRejected(value: Uint8Array | null): z.infer<typeof announced> | null {
  try {
    return announced.parse(JSON.parse(Buffer.from(value ?? []).toString('utf8')));
  } catch {
    return null;
  }
}

/** What upstream is told of an event with a revision that is none. */
const REFUSED = {
  code: 'bad_data',
  reason: 'data.revision: expected an integer from 1 to 9007199254740991, got "x"',
  id: '0199f0a2-7c1e-7e0a-9d53-2f6f1f0b6a11',
  source: '/catalog/editor',
  type: 'catalog.entry.published.v1',
  subject: 'ai-news',
  read_model: 'listings@1',
  topic: 'catalog.entries',
  partition: 3,
  position: 1204,
} satisfies RejectedData;

export const REJECTED_EXAMPLE: CloudEvent = {
  specversion: '1.0',
  id: 'listings@1/catalog.entries/3/1204',
  source: '/catalog-read-api',
  type: 'catalog.event.rejected.v1',
  subject: '/catalog/editor',
  time: '2026-11-20T10:00:01.250Z',
  datacontenttype: 'application/json',
  data: { ...REFUSED },
};
