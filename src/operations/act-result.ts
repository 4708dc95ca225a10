/** What came of an act, as facts: the operator page says them in its language. `reason` is a program's own words, in English. */
export type ActResult =
  | {
      readonly code: 'redriven';
      readonly redriven: number;
      readonly still_rejected: number;
      readonly gone: number;
      readonly chosen: number;
      /** Why the first of those that are still rejected is; null where none is. */
      readonly first: string | null;
    }
  | { readonly code: 'live'; readonly live: string; readonly from: string }
  | { readonly code: 'removed'; readonly build: string }
  | { readonly code: 'equal' }
  | { readonly code: 'differs' }
  | { readonly code: 'refused' | 'failed' | 'fault'; readonly reason: string };

/** One line for the log, in English. */
export function lineOf(result: ActResult): string {
  switch (result.code) {
    case 'redriven': {
      const { redriven, still_rejected: still, gone, chosen, first } = result;
      const said = `${redriven} redriven, ${still} still rejected, ${gone} gone of ${chosen}.`;
      return first === null ? said : `${said} The first: ${first}`;
    }
    case 'live':
      return `${result.live} is live; it was ${result.from}.`;
    case 'removed':
      return `${result.build} is gone.`;
    case 'equal':
      return 'Nothing differs.';
    case 'differs':
      return 'Something differs.';
    case 'fault':
      return `a fault of ours: ${result.reason}`;
    case 'refused':
    case 'failed':
      return result.reason;
  }
}
