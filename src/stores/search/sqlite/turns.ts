import { giveWay } from '../../../platform/give-way.ts';
import type { DatabaseSync } from '../../../platform/sqlite.ts';

/*
 * A statement that looks at ten thousand rows gives way in between, as the code around it does: by a function that it calls,
 * at some of the rows, for a call costs more than a row.
 */

const FUNCTION = 'give_way';
const ROWS = 128;

/** Declares what `inTurns` calls. */
export function allowTurns(database: DatabaseSync, turn: () => void = giveWay): void {
  database.function(FUNCTION, { directOnly: true }, () => {
    turn();
    return 1;
  });
}

/** A condition that is true for every row. `number` names a column of whole numbers. */
export function inTurns(number: string): string {
  return `(${number} % ${ROWS} <> 0 OR ${FUNCTION}())`;
}
