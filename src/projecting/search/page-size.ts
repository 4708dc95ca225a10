/** Documents in a page where the engine wants no more, or has failed. */
const LEAST = 1000;
/** In the first one where it wants more. */
const FIRST = 4000;
/** Entries in a put of a small page; its puts run side by side. Of so many, one that is refused is found by 10 more puts. */
const FEW = 250;
/**
 * Each page is as large as what the engine takes in so long, in milliseconds: half of how old what was read may be when it is
 * sent (`freshMs`), so that a page that was made ahead is still true when its turn comes.
 */
const AIM_MS = 5000;
/** A page has at most so many times as many documents as the one before: how quick the engine was may have been an accident. */
const LARGER = 4;

/** How much is sent at a time: it follows what the engine has shown. */
export interface PageSize {
  /** Whether the marks of a page are taken away while the next one is put: where each put takes a while. */
  readonly isOverlapped: boolean;
  /** Documents in the next page. */
  readonly documents: number;
  /** Entries in a put of it. */
  readonly entries: number;
  /** Takes in how long the engine took to put so many of a page that had room for `limit`. */
  took(ms: number, put: number, limit: number): void;
  /** Takes in that something was refused, or failed: the next pages are small. */
  failed(): void;
}

/** `most` entries in a put is what the engine does best with; by default it does as well with few. */
export function createPageSize(most: number = FEW): PageSize {
  const largest = Math.max(LEAST, most);
  let documents = Math.min(FIRST, largest);
  return {
    isOverlapped: most > FEW,
    get documents() {
      return documents;
    },
    get entries() {
      return documents === LEAST ? FEW : documents;
    },
    took: (ms, put, limit) => {
      const factor = Math.min(LARGER, AIM_MS / Math.max(1, ms));
      // A page that was not full says nothing about larger ones.
      if (factor > 1 && put < limit) return;
      documents = Math.max(LEAST, Math.min(largest, Math.floor(factor * limit)));
    },
    failed: () => {
      documents = LEAST;
    },
  };
}
