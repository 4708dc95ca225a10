/** Documents in a page at first and at most: engines that have much to do for a put, however small it is, take in many at a time. */
const MOST = 4000;
/** In a page after a failure. Of so many, one that is refused is found by nine more puts. */
const LEAST = 250;
/** What an engine takes in within so many milliseconds is not too much for it. */
const QUICK_MS = 5000;

/** How many documents are sent at a time: fewer where something fails or takes long, until it goes well again. */
export interface PageSize {
  readonly documents: number;
  /** Takes in how long the engine took to put a page, in milliseconds. */
  took(ms: number): void;
  /** Takes in that something was refused, or failed, or took too long to read. */
  failed(): void;
}

export function createPageSize(): PageSize {
  let documents = MOST;
  return {
    get documents() {
      return documents;
    },
    took: (ms) => {
      if (ms <= QUICK_MS) documents = Math.min(MOST, 2 * documents);
      else if (ms > 2 * QUICK_MS) documents = Math.max(LEAST, documents / 2);
    },
    failed: () => {
      documents = LEAST;
    },
  };
}
