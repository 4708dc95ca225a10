import { canonical, sha256 } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import type { Documents } from '../../src/stores/documents/port.ts';

export interface Read {
  /** Of everything that is stored but the tokens of its writes and what its index has still to be told, by slug. */
  readonly digests: ReadonlyMap<string, string>;
  readonly scores: ReadonlyMap<string, number>;
}

export async function readListings(documents: Documents, build: string): Promise<Read> {
  const digests = new Map<string, string>();
  const scores = new Map<string, number>();
  for await (const page of documents.scan<ReadModelDocument>(build))
    for (const { id, body } of page) {
      digests.set(id, sha256(canonical({ registers: body.registers, view: body.view } as Json)));
      const { score } = body.view as { readonly score?: { readonly value: number } | null };
      if (score) scores.set(id, score.value);
    }
  return { digests, scores };
}
