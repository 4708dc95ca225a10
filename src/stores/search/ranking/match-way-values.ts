/** How an entry has what a part of the query means, as readers are told. */
export const HOW = [
  'name',
  'words',
  'synonym',
  'beginning',
  'inside',
  'related',
  'slips',
  'category',
  'kind',
] as const;
export type How = (typeof HOW)[number];

/** A way of having a part. */
interface Way {
  /** What an entry is worth that has it so. */
  readonly value: number;
  readonly how: How;
  readonly place: 'name' | 'text' | 'field';
  /** Whether it tells too little where an entry has nothing else of the query. */
  readonly isWeak?: true;
  /** Whether who has it so has it in another way as well: it orders entries, and none matches by it alone. */
  readonly isOrder?: true;
}

/** Measured on the judged queries; the order matters most. */
export const WAYS = ways({
  'own words lead a name': { value: 11.5, how: 'words', place: 'name', isOrder: true },
  'own words in a name': { value: 10, how: 'words', place: 'name' },
  'its words in another form in a name': { value: 9.9, how: 'words', place: 'name' },
  'each of its words, or a synonym, in a name': { value: 9.8, how: 'synonym', place: 'name' },
  'a synonym leads a name': { value: 9.5, how: 'synonym', place: 'name', isOrder: true },
  'a synonym in a name': { value: 9, how: 'synonym', place: 'name' },
  'own word of kind in a name': { value: 8, how: 'words', place: 'name', isWeak: true },
  'the very kind': { value: 7.6, how: 'kind', place: 'field', isWeak: true },
  'a word in a name begins with it': { value: 7.5, how: 'beginning', place: 'name' },
  'own word of kind in a text': { value: 7, how: 'words', place: 'text', isWeak: true },
  'inside of a name': { value: 6.5, how: 'inside', place: 'name', isWeak: true },
  'a word in a name begins with a short part': { value: 6, how: 'beginning', place: 'name', isWeak: true },
  'a synonym inside of a name': { value: 5.5, how: 'synonym', place: 'name', isWeak: true },
  'something near in a name': { value: 5, how: 'related', place: 'name', isWeak: true },
  'a word in a name begins with a letter': { value: 4.5, how: 'beginning', place: 'name', isWeak: true },
  'own words in a text': { value: 4, how: 'words', place: 'text' },
  'a synonym in a text': { value: 3, how: 'synonym', place: 'text' },
  'the kind': { value: 3, how: 'kind', place: 'field', isWeak: true },
  'the category': { value: 2.9, how: 'category', place: 'field' },
  'something near in a text': { value: 1.5, how: 'related', place: 'text', isWeak: true },
  'another word in a name begins with it': { value: 1.4, how: 'beginning', place: 'name', isWeak: true },
  'a longer term in a name': { value: 1.4, how: 'words', place: 'name', isWeak: true },
});

/** For people, too. */
export type What = keyof typeof WAYS;

function ways<Name extends string>(all: Readonly<Record<Name, Way>>): Readonly<Record<Name, Way>> {
  return all;
}
