import type { Installation } from './process.ts';

/** What `/readyz` says: its status, and the details of its checks. */
export interface Readyz {
  readonly status: number;
  readonly details: string;
}

/** null while nobody answers. */
export async function readyz({ env }: Installation): Promise<Readyz | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${env['ADMIN_PORT']}/readyz`);
    const { checks } = (await response.json()) as { readonly checks: readonly { readonly detail: string }[] };
    return { status: response.status, details: checks.map(({ detail }) => detail).join('; ') };
  } catch {
    return null;
  }
}

/** What it says first, and once it says 200. */
export async function untilReady(
  installation: Installation,
): Promise<{ readonly first: Readyz; readonly ready: Readyz }> {
  let first: Readyz | null = null;
  for (;;) {
    const said = await readyz(installation);
    first ??= said;
    if (first !== null && said?.status === 200) return { first, ready: said };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
