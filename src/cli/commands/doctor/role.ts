/** What the environment is for: `serve` needs no log, and fewer rights than everything else. */
export type Role = 'serve' | 'project';
