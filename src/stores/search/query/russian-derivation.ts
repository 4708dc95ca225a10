/**
 * Words that a Russian word may be made from, or stand beside: `кот` of `котики`, `книга` of `книжка`, `перевод` beside
 * `переводить`. Guesses, the longest first: those count that are known. In the form of `searchWords`. Pure.
 */

/** What has to be left of a word, in letters. */
const LEAST = 3;

/** What makes a word small or dear, with the endings of cases behind it. */
const SMALL =
  /^(?:[аоуя]?сик|[ая]шк|[иы]шк|[ую]шк|[оеё]чк|[оь]?ньк|еньк|ч?ик|[оеё]к|к)(?:ами|ах|ам|ом|ем|ов|ев|ою|ои|еи|а|и|у|о|е)?$/;
/** What makes followers of a thing: `питонист`, `андроидщик`, `пхпшник`. */
const PEOPLE = /^(?:ш?ник|щик|чик|ист|ер|овод|оид|овец)(?:ами|ах|ам|ом|ем|ов|ев|ою|еи|а|и|ы|у|е)?$/;
const VERB = /(?:[аеиуюя])(?:ть|тьс?я)$/;
/** What the last letter may have been: `книжка`, `ручка`, `старушка`. */
const BEFORE: Readonly<Record<string, string>> = { ж: 'г', ч: 'к', ш: 'х' };

/** Without the word itself. */
export function derivedFrom(word: string): readonly string[] {
  if (!/^[а-я]+$/.test(word)) return [];
  const all = VERB.test(word) ? besideVerb(word) : largerThan(word);
  return [...new Set(all)].filter((one) => one.length >= LEAST);
}

function largerThan(word: string): readonly string[] {
  const found: string[] = [];
  for (let at = word.length - 1; at >= LEAST; at -= 1) {
    const ending = word.slice(at);
    if (!SMALL.test(ending) && !PEOPLE.test(ending)) continue;
    const last = BEFORE[word[at - 1] ?? ''];
    found.push(word.slice(0, at), ...(last === undefined ? [] : [`${word.slice(0, at - 1)}${last}`]));
  }
  return found;
}

function besideVerb(word: string): readonly string[] {
  const stem = word.replace(/(?:ть|тьс?я)$/, '');
  const bare = stem.slice(0, -1);
  return [`${stem}ние`, `${bare}ение`, `${bare}ка`, bare];
}
