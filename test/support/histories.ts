/** Seeded histories of many entries, shuffled and with duplicates: what a bad day of upstream looks like. */

/** A small seeded generator of numbers in [0, 1): mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CATEGORIES = ['news', 'science', 'games', 'music', 'nowhere'];
const KINDS = ['channel', 'bot', 'miniapp'] as const;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** `count` events as NDJSON lines; about one in ten is there twice, and the order is random. */
export function history(count: number, seed: number): readonly string[] {
  const random = seeded(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const entries = Math.max(10, Math.floor(count / 50));
  const lines: string[] = [];
  for (let index = 0; lines.length < count; index += 1) {
    const duplicate = lines.length > 0 && random() < 0.1;
    lines.push(duplicate ? String(lines[pick(lines.length)]) : JSON.stringify(event(index, entries, pick)));
  }
  for (let index = lines.length - 1; index > 0; index -= 1) {
    const other = pick(index + 1);
    [lines[index], lines[other]] = [String(lines[other]), String(lines[index])];
  }
  return lines;
}

function event(index: number, entries: number, pick: (below: number) => number): object {
  // Small slugs are busy, large ones are quiet: a product of two draws is a rough Zipf.
  const slug = `entry-${Math.floor((pick(entries) * pick(entries)) / entries)}`;
  const at = new Date(START + pick(120) * DAY_MS + pick(DAY_MS)).toISOString();
  const choice = pick(100);
  if (choice < 70) return envelope(index, slug, 'catalog.entry.measured.v1', measured(at, pick), at);
  if (choice < 88) return envelope(index, slug, 'catalog.entry.published.v1', published(slug, at, pick), at);
  if (choice < 97)
    return envelope(index, slug, 'catalog.entry.unpublished.v1', { revision: 1 + pick(9) }, at);
  const category = String(CATEGORIES[pick(CATEGORIES.length - 1)]);
  const removed = pick(4) === 0;
  const definition = {
    revision: 1 + pick(5),
    parent: pick(2) ? CATEGORIES[pick(5)] : null,
    title: { ru: 'Раздел', en: `Part ${pick(9)}` },
  };
  return removed
    ? envelope(index, category, 'catalog.category.removed.v1', { revision: 1 + pick(5) }, at)
    : envelope(index, category, 'catalog.category.defined.v1', definition, at);
}

function envelope(index: number, subject: string, type: string, data: object, time: string): object {
  return { specversion: '1.0', id: `history-${index}`, source: '/test/history', type, subject, time, data };
}

function published(slug: string, at: string, pick: (below: number) => number): object {
  const kind = KINDS[pick(3)];
  return {
    revision: 1 + pick(9),
    kind,
    ...(kind === 'channel' && pick(2) ? { subtype: 'broadcast' } : {}),
    username: slug.replaceAll('-', '_'),
    title: { en: `Title ${pick(100)}` },
    category: pick(3) ? CATEGORIES[pick(5)] : null,
    tags: [],
    verified: pick(5) === 0,
    flags: pick(20) === 0 ? ['scam'] : [],
    links: [],
    published_at: at,
  };
}

function measured(at: string, pick: (below: number) => number): object {
  const kind = KINDS[pick(3)];
  return kind === 'channel'
    ? {
        measured_at: at,
        kind,
        subscribers: pick(1_000_000),
        avg_views: pick(100_000),
        posts_per_week: pick(300) / 10,
      }
    : {
        measured_at: at,
        kind,
        monthly_users: pick(1_000_000),
        mentions_30d: pick(1000),
        rating: { value: pick(51) / 10, count: pick(500) },
      };
}
