export type Store = 'log' | 'documents' | 'search';

/**
 * What a process is there for: `project` for everything; `serve` needs no log, and fewer rights; `accounts` needs the
 * documents alone.
 */
export type Role = 'project' | 'serve' | 'accounts';

/** The stores that each of them uses. */
export const STORES_OF: Readonly<Record<Role, readonly Store[]>> = {
  project: ['log', 'documents', 'search'],
  serve: ['documents', 'search'],
  accounts: ['documents'],
};
