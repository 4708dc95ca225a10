/**
 * What each fold makes of the events that are recorded here: a digest of all documents, with registers, views and search
 * entries. A version that has documents anywhere keeps its line; one that would need another makes other documents, so it
 * is another version.
 */
export const FOLD_DIGESTS: Readonly<Record<string, string>> = {
  'listings@1': '-YaIKZ9fF10apoWA1wHEMwSlI4cuKP7t9kJQ1EdRYas',
  'listings@2': 'nYQV587RFB8sTEKUUD4XpsW1snMpER6-BwzEBeiC9fk',
  'categories@1': 'qk0Wn6uPBIg0xeLGolBc6ooCw7JeRzEeE1CIK4lPL5g',
  'monitor@2': 'sqtqjma0kAUbq8ME9blBFTSsOMKQ1QDvx8ygiSBQd_o',
};
