/** A file of a kept fold is no TypeScript: index.ts says what it exports. */
declare module '*.js' {
  export const projection: unknown;
  export const createDecode: unknown;
}
