/** What is said of documents in a format that is read no more, behind the name of their store. */
export const EARLIER_FORMAT =
  'was made by an earlier release, in a format that this one does not read. Keep the log, which does not change (CATALOG_LOG_URL), and give this release empty documents (CATALOG_DATA or CATALOG_DOCUMENTS_URL): it folds the log again; API keys have to be made again. Or run the release that made them.';
