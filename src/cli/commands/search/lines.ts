import type { ListName } from '../../../stores/search/matches/explained.ts';
import type { ShownRank, ShownUnderstood } from './explaining.ts';

/** An explanation in lines for people. Pure. */

type ShownReading = ShownUnderstood['as_typed'];

export function explanationLines(understood: ShownUnderstood): readonly string[] {
  const { names, is_username: isUsername, as_typed: asTyped, instead } = understood;
  return [
    ...(isUsername ? [`Understood as the username ${names.join(', ')}, and nothing else.`] : []),
    ...readingLines('As typed', asTyped),
    ...(instead === null ? [] : readingLines(BECAUSE[instead.because ?? 'slips'], instead)),
  ];
}

const BECAUSE = {
  layout: 'Where few entries have that, on the other keyboard layout',
  slips: 'Where few entries have that, with its slips put right',
} as const;

function readingLines(title: string, { text, parts }: ShownReading): readonly string[] {
  return [`${title}: "${text}"`, ...parts.flatMap(partLines)];
}

function partLines({ part, weight, ...meant }: ShownReading['parts'][number]): readonly string[] {
  const { sounds, roots, synonyms, related, categories, kind, subtype } = meant;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['sounds like', sounds],
    ['roots', roots],
    ['synonyms', synonyms],
    ['near to it', related],
    ['categories', categories],
    ['kind', kind === null ? [] : [subtype === null ? kind : `${kind} (${subtype})`]],
  ];
  const told = lists.filter(([, list]) => list.length > 0);
  return [`  ${part}, weight ${weight}`, ...told.map(([name, list]) => `    ${name}: ${list.join(', ')}`)];
}

const LISTS: Readonly<Record<ListName, string>> = {
  name: 'a name equals the query',
  all: 'it has all parts',
  other_reading: 'it has all parts of the other reading',
  some: 'it has parts of at least half of the weight',
  slips: 'a name is the query but for slips of the finger',
};

export function hitLines(place: number, slug: string, rank: ShownRank | null): readonly string[] {
  if (rank === null)
    return [`${place}. ${slug}: it has changed since it was found, and does not match any more`];
  const { list, relevance, slips, parts } = rank;
  const slipped = slips === null ? '' : ` (${slips})`;
  const sum = relevance === null ? '' : `; relevance ${shown(relevance)}`;
  return [`${place}. ${slug}: ${LISTS[list]}${slipped}${sum}`, ...parts.map(partLine)];
}

function partLine({
  part,
  weight,
  has,
  in_category: isIn,
  worth,
  points,
}: ShownRank['parts'][number]): string {
  if (has === null) return `   ${part}: nothing`;
  const also = isIn && has !== 'the category' ? ', and the category' : '';
  return `   ${part}: ${has}${also}: ${shown(worth)} x ${shown(weight)} = ${shown(points)}`;
}

function shown(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
