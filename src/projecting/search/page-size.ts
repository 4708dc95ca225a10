/** Documents in a page where the engine wants no more, or has failed. */
const LEAST = 1000;
/** In the first one where it wants more. */
const FIRST = 4000;
/** Entries in a put of such a page; its puts run side by side. Of so many, one that is refused is found by 10 more puts. */
const FEW = 250;
/** A page that the engine took in so quickly, in milliseconds, is followed by larger ones. */
const QUICK_MS = 3000;
const LARGER = 2;
/** One that took so long is followed by smaller ones: a request must not live for longer than half a minute. */
const SLOW_MS = 8000;

/** How much is sent at a time: it follows what the engine has shown. */
export interface PageSize {
  /** Whether the marks of a page are taken away while the next one is put: where each put takes a while. */
  readonly isOverlapped: boolean;
  /** Documents in the next page. */
  readonly documents: number;
  /** Entries in a put of it. */
  readonly entries: number;
  /** Takes in how long the engine took for a page. */
  took(ms: number, documents: number): void;
  /** Takes in that something was refused, or failed: the next pages are small. */
  failed(): void;
}

/** `most` entries in a put is what the engine does best with; by default it does as well with few. */
export function createPageSize(most: number = FEW): PageSize {
  let documents = Math.max(LEAST, Math.min(FIRST, most));
  return {
    isOverlapped: most > FEW,
    get documents() {
      return documents;
    },
    get entries() {
      return documents === LEAST ? FEW : documents;
    },
    took: (ms, sent) => {
      if (ms > SLOW_MS) documents = Math.max(LEAST, Math.floor(documents / 2));
      else if (ms < QUICK_MS && sent >= documents)
        documents = Math.max(LEAST, Math.min(LARGER * documents, most));
    },
    failed: () => {
      documents = LEAST;
    },
  };
}
