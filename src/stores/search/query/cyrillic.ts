/** How Russian words are spelt in Latin letters, the longer spellings first. */
const SPELLINGS = new Map(
  `shch щ sch щ zh ж kh х ts ц ch ч sh ш yu ю ju ю ya я ja я yo е jo е iy ии yy ыи
   a а b б c к d д e е f ф g г h х i и j и k к l л m м n н o о p п q к r р s с t т u у v в w в x кс y ы z з`
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]),
);
const ANY = new RegExp([...SPELLINGS.keys()].join('|'), 'g');

/** A Latin word as the Russian one that it may be: `sistemnoe` is `системное`. A guess, good enough for its root. Pure. */
export function inCyrillic(word: string): string {
  return word.replaceAll(ANY, (latin) => SPELLINGS.get(latin) ?? latin);
}
