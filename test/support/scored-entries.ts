import type { Documents } from '../../src/stores/documents/port.ts';
import { LISTINGS, NEXT_LISTINGS } from './collections.ts';
import { measured, published } from './events.ts';
import type { Formula } from './score-reader.ts';
import { storedIn } from './documents.ts';

/** Entries whose scores tell by which of two formulas an answer was made, and what a reader of them needs. */

export type KnownScores = Readonly<Record<Formula, Map<string, number>>>;

export function measuresOf(subject: string, index: number): object {
  return measured({ subject, subscribers: 1000 + 977 * index, posts_per_week: 1 + (index % 7) });
}

export function entryOf(subject: string, index: number): object {
  const title = { en: `Orbit ${subject}`, ru: `Орбита ${subject}` };
  // Trusted wholly, or hardly: what the formulas make of it differs for every audience.
  const trust = index % 2 === 0 ? { verified: true } : { flags: ['restricted'] };
  return published({ subject, title, username: subject.replace('-', '_'), ...trust });
}

interface Stored {
  readonly view: { readonly score?: { readonly value: number } };
}

/**
 * By each formula, from the documents that each release has made. Of other entries than ours, those which both formulas
 * give the same score tell nothing.
 * @throws {Error} where one of ours is among those.
 */
export async function learnScores(documents: Documents, scores: KnownScores): Promise<void> {
  const [old, fresh] = [await scoresIn(documents, LISTINGS), await scoresIn(documents, NEXT_LISTINGS)];
  for (const [slug, score] of old) {
    const other = fresh.get(slug);
    if (other !== undefined && other !== score) {
      scores.old.set(slug, score);
      scores.new.set(slug, other);
    } else if (/^(entry|late)-/.test(slug))
      throw new Error(`${slug} has the score ${score} by both formulas`);
  }
}

async function scoresIn(documents: Documents, collection: string): Promise<ReadonlyMap<string, number>> {
  const scored = await storedIn<Stored>(documents, collection);
  return new Map(scored.flatMap(({ id, body: { view } }) => (view.score ? [[id, view.score.value]] : [])));
}

/** An entry like another one in all that a score is made of has its scores. */
export function copyScores({ old, new: fresh }: KnownScores, slug: string, of: string): void {
  for (const known of [old, fresh]) {
    const score = known.get(of);
    if (score !== undefined) known.set(slug, score);
  }
}
