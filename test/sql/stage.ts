import { runHere } from '../support/run-here.ts';

/** What a query with `--json` answers. */
export interface Answered {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Asks, and expects an answer. */
export async function ask(env: Readonly<Record<string, string>>, sql: string): Promise<Answered> {
  const { code, stdout, stderr } = await runHere(['query', sql, '--json'], env);
  if (code !== 0) throw new Error(`${sql}: ${stderr}`);
  return JSON.parse(stdout) as Answered;
}
