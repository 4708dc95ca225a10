import type { Search } from '../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';

/** Which search engine a suite runs on: what holds of answers holds on each of them. */
export interface SearchEngine {
  readonly name: string;
  /** Whether this run has it; else the run says why not. */
  readonly isHere: boolean;
  /** A client with indexes of its own. One that keeps them in a file is given the path of it. */
  open(file: string): Search;
}

export const SQLITE_SEARCH: SearchEngine = { name: 'SQLite', isHere: true, open: openSqliteSearch };
