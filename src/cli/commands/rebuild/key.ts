import { cutOverParts } from '../../../compose/cut-over-parts.ts';
import type { Parts } from '../../../compose/parts.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { isJsonObject, type Json } from '../../../platform/json.ts';
import { refoldDocument } from '../../../projecting/builds/one-document.ts';
import { describeForgotten, forgottenBy } from '../../../projecting/inspect/forgotten.ts';
import { aliasOf, buildNamed } from '../../../operating/named-builds.ts';
import { number } from '../../../platform/amounts.ts';
import { note, print, printJson } from '../../output.ts';
import { showProgress } from '../../progress.ts';

interface Asked {
  /** Of the read model. */
  readonly name: string;
  /** Of the document. */
  readonly id: string;
  readonly json: boolean;
}

/** Folds one document of the live build again, and says what changed. */
export async function rebuildKey(
  parts: Parts,
  signal: AbortSignal,
  { name, id, json }: Asked,
): Promise<void> {
  const alias = await aliasOf(parts, name);
  const { collection } = alias;
  const projection = await buildNamed(parts, alias, collection);
  using progress = showProgress('records folded');
  const onProgress = (done: number, total: number): void => progress.update(done, total);
  const work = { ...cutOverParts(parts, signal), onProgress };
  const done = await refoldDocument(work, projection, id);
  const cut = describeForgotten(await forgottenBy(parts, projection));
  switch (done.outcome) {
    case 'unknown':
      throw new PermanentError(
        `The log holds no event about ${id}, and ${collection} has no document of it.`,
      );
    case 'not_in_log': {
      const why = cut === null ? '"verify" says more' : cut;
      throw new PermanentError(
        `The log holds no event about ${id}, and ${collection} has a document of it, which stays as it is: ${why}.`,
      );
    }
    case 'refused':
      throw new PermanentError(`${id} stays as it is: ${done.reason}`);
    case 'written': {
      const changes = [...changesOf(done.before, done.after)];
      if (json)
        return printJson({
          read_model: name,
          build: collection,
          id,
          log_cut: done.logCut,
          created: done.before === null,
          changes,
        });
      if (done.logCut && cut !== null) note(`It was joined with what was there: ${cut}.`);
      if (changes.length === 0)
        return print(`${id} in ${collection} was right already: written and indexed again.`);
      print(`${id} in ${collection} was ${done.before === null ? 'missing, and is there now' : 'changed'}:`);
      for (const { field, before, after } of changes.slice(0, SHOWN))
        print(`  ${field}: ${shown(before)} -> ${shown(after)}`);
      if (changes.length > SHOWN) print(`  ... and ${number(changes.length - SHOWN)} more: see --json.`);
    }
  }
}

const SHOWN = 20;
/** Of a value, on a line for people. */
const LONGEST = 60;

function shown(value: Json | null): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

interface Change {
  /** `metrics.audience` */
  readonly field: string;
  /** null where it was absent; `after` too. */
  readonly before: Json | null;
  readonly after: Json | null;
}

/** The fields of a view that differ; lists are compared whole. */
function* changesOf(before: Json | null, after: Json | null, path = ''): Generator<Change> {
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesOf(before[key] ?? null, after[key] ?? null, path === '' ? key : `${path}.${key}`);
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    yield { field: path === '' ? 'all of it' : path, before, after };
  }
}
