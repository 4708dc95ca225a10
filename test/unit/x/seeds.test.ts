import { test } from 'vitest';
import { simulate } from '../../simulate/simulate.ts';
test('look', async () => {
  const from = Number(process.env.FROM ?? 1);
  const until = Date.now() + Number(process.env.MS ?? 60_000);
  let n = 0;
  const bad = new Map<string, number[]>();
  for (let seed = from; Date.now() < until && n < Number(process.env.N ?? 1e9); seed += 1) {
    n += 1;
    await simulate(seed).catch((e: any) => {
      const k = `${e.message} ${e.cause?.stack?.slice(0, 600) ?? ''}`.slice(0, 300);
      bad.set(k, [...(bad.get(k) ?? []), seed]);
    });
  }
  console.log(n, 'storms', [...bad].map(([k, v]) => `${v.length}x ${v.slice(0, 6)}: ${k}`).join('\n'));
}, 900_000);
