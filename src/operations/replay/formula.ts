import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pathToFileURL } from 'node:url';

import { score, type Score } from '../../../projections/listings/document.ts';
import { listingsBy, type Formula } from '../../../projections/listings/index.ts';
import type { scoreOf } from '../../../projections/listings/score.ts';
import { foldDigest } from '../../projecting/builds/fold-identity.ts';
import { createDecoder } from '../../events/decode.ts';
import { EVENT_TYPES } from '../../events/event-types.ts';
import { messageOf, PermanentError, UsageError } from '../../platform/errors.ts';
import type { Projection } from '../../projecting/engine/projection.ts';

/** A score formula that somebody brought along, in a file like projections/listings/score.ts. */
export type LoadedFormula = Awaited<ReturnType<typeof loadFormula>>;

/** The name under which the file exports it. */
const EXPORTED = 'scoreOf';

/**
 * Loads it: the code in the file runs. The projection throws `PermanentError` for an entry of which the formula makes no score.
 * @throws {UsageError} where there is no such file.
 * @throws {PermanentError} where it cannot be loaded, or exports no formula.
 */
export async function loadFormula(file: string) {
  const url = pathToFileURL(resolve(file));
  const found = await stat(url).catch(() => null);
  if (!found?.isFile())
    throw new UsageError(`There is no file ${file}. Give a module like projections/listings/score.ts.`);
  let exported: unknown;
  try {
    ({ [EXPORTED]: exported } = (await import(url.href)) as Record<string, unknown>);
  } catch (thrown) {
    throw new PermanentError(`${file} cannot be loaded: ${oneLine(thrown)}`, { cause: thrown });
  }
  if (typeof exported !== 'function')
    throw new PermanentError(
      `${file} exports no function ${EXPORTED}(content, shown), as projections/listings/score.ts does.`,
    );
  const formula = exported as typeof scoreOf;
  const loaded = (): Projection => listingsBy(checked(file, formula));
  const parts = { decode: createDecoder(EVENT_TYPES), topicName: (topic: string) => topic };
  return {
    /** The listings with that score. */
    projection: loaded(),
    file,
    /**
     * Of the listings that it makes of the recorded events: two formulas with one digest make the same scores of them. Not of
     * those above, whose first entries are looked at more closely.
     */
    digest: () => foldDigest(loaded(), parts),
  };
}

/** The formula, each of whose scores is held against what readers are promised. */
function checked(file: string, formula: typeof scoreOf): Formula {
  let asked = 0;
  return (content, shown, slug) => {
    const refuse = (reason: string, cause?: unknown): PermanentError =>
      new PermanentError(`${file} makes no score of ${slug}: ${reason}.`, { cause });
    const ask = (): Score => {
      let made: unknown;
      try {
        made = formula(frozen({ ...content }), frozen({ ...shown }));
      } catch (thrown) {
        throw refuse(`it throws ${JSON.stringify(oneLine(thrown))}`, thrown);
      }
      const parsed = score.safeParse(made);
      if (parsed.success) return parsed.data;
      if (made instanceof Promise) {
        // Nobody waits for it: what it comes to must not end the process.
        made.catch(() => undefined);
        throw refuse('it returns a promise, and has to return a score');
      }
      const [issue] = parsed.error.issues;
      const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
      throw refuse(`${where}${issue?.message ?? 'no score'}`);
    };
    const made = ask();
    asked += 1;
    if (asked <= ASKED_TWICE && !isDeepStrictEqual(ask(), made))
      throw refuse('asked twice it makes two different scores, and nothing could be compared');
    return made;
  };
}

/** Of so many entries it is asked twice, so that a formula that looks at the clock or throws dice is found out. */
const ASKED_TWICE = 100;

/** Frozen to the bottom: the view is made of the same objects. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

function oneLine(thrown: unknown): string {
  return messageOf(thrown)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
}
