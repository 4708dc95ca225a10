import { CHECKPOINTS } from '../../src/projecting/engine/lane.ts';
import { PARKED } from '../../src/projecting/engine/parking.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import {
  endingThePauseEarly,
  forgettingAnnouncements,
  forgettingCheckpoints,
  ignoringPauses,
  notAskingTheIndex,
  notComparingPositions,
  switchingLate,
  withoutNote,
  withoutPause,
} from './planted-builds.ts';
import {
  neverConflicting,
  neverTryingAgain,
  trustingEveryRead,
  withoutConfirming,
  withoutContentVersions,
  withoutGuard,
  writingLate,
} from './planted-documents.ts';
import {
  droppingLast,
  hearingLate,
  showingNothing,
  takingUnknownForEmpty,
  withFetched,
} from './planted-log.ts';
import { notWaiting } from './planted-search.ts';
import type { Planted } from './stage.ts';

export interface PlantedBug {
  readonly planted: Planted;
  readonly seenBy: RegExp;
  /** A storm that has seen it, tried before all others; 1 where nothing is said. It need not be right for ever. */
  readonly storm?: number;
}

const NOTES = collectionOf(NOTES_AND_MARKS);
const INDEX_DIFFERS = /the index is what the documents say|not cut over: the index _ differs/;

/**
 * Bugs that the simulation must catch. The engine itself has no hooks for them, so each one stands in front of a store
 * and does to the calls what the bug would do.
 */
export const PLANTED: Readonly<Record<string, PlantedBug>> = {
  'documents are written without a guard': {
    storm: 5,
    planted: { documents: (documents) => withoutGuard(documents, NOTES) },
    seenBy: /no regress: .* of . fell|readers go forward/,
  },
  'a replaced worker is not stopped: it goes on writing checkpoints': {
    planted: { documents: (documents) => withoutGuard(documents, CHECKPOINTS.name) },
    seenBy: /no regress: the (checkpoint|epoch)/,
  },
  'the checkpoint is written before the documents': {
    planted: { documents: (documents) => writingLate(documents, NOTES) },
    seenBy: /progress is honest/,
  },
  'the checkpoint is written before events are parked': {
    planted: { documents: (documents) => writingLate(documents, PARKED.name) },
    seenBy: /progress is honest/,
  },
  'the last record of a batch is dropped': {
    planted: { log: (log) => withFetched(log, droppingLast) },
    seenBy: /nothing is lost|progress is honest/,
  },
  'a conflict is taken for a success': {
    planted: { documents: neverConflicting },
    seenBy: /progress is honest/,
  },
  'a mark is cleared before the search task has succeeded': {
    planted: { search: (search) => ({ ...search, put: notWaiting(search) }) },
    storm: 6,
    seenBy: /the index is what the documents say|has stopped and still works|the index _ differs/,
  },
  'a document that changed while it was sent is not marked again': {
    storm: 5,
    planted: { fedFrom: neverConflicting },
    seenBy: INDEX_DIFFERS,
  },
  'a log that has overtaken the checkpoint is not compared with what was read': {
    planted: { log: showingNothing },
    seenBy: /never silent/,
  },
  'a worker goes on claiming what was taken away from it, and one that has lost a lane waits for half a minute':
    {
      planted: { log: hearingLate },
      storm: 2,
      seenBy: /recovery: (the lag is|.* is claimed by another worker)/,
    },
  'ends that are not known are taken for those of an empty log': {
    storm: 9,
    planted: { log: takingUnknownForEmpty },
    seenBy: /halted|never silent/,
  },
  'what an old primary shows is taken for durable': {
    storm: 5,
    planted: { documents: trustingEveryRead },
    seenBy: /progress is honest/,
  },
  'what fails without a name is never tried again': {
    planted: { documents: neverTryingAgain },
    seenBy: /recovery: (the lag stays|it does not come to pass)/,
  },
  'ages are measured by a clock that is set': {
    planted: { clock: (clock) => ({ ...clock, monotonic: () => clock.now() }) },
    seenBy: /recovery|never silent|the index is what the documents say/,
  },
  'health is judged by the lanes that were claimed, not by those that were assigned': {
    storm: 8,
    planted: { judged: (lanes) => lanes.filter(({ state }) => state === 'running') },
    seenBy: /health is honest/,
  },
  'an index is changed, and readers are not told': {
    planted: { fedFrom: withoutContentVersions },
    seenBy: /its content version is that of before its last change/,
  },
  'a removal is not confirmed': {
    planted: { fedFrom: withoutConfirming },
    seenBy: /answers are honest: the removal of . is taken for final as remove/,
  },
  'a lane says that it is quiet, and goes on': {
    storm: 5,
    planted: { hasBuilds: true, gate: ignoringPauses },
    seenBy: /quiet is quiet/,
  },
  'a switch does not compare positions': {
    storm: 3,
    planted: { hasBuilds: true, operated: notComparingPositions },
    seenBy: /as far as the live build|readers go forward/,
  },
  'a switch comes after its pause was ended': {
    storm: 30,
    planted: { hasBuilds: true, operated: switchingLate },
    seenBy:
      /a late switch is defeated|quiet is quiet|a switch is to a build that stands|as far as the live build/,
  },
  'a switch does not ask whether the index was told of everything': {
    planted: { hasBuilds: true, operated: notAskingTheIndex },
    seenBy: /the index is ready/,
  },
  'checkpoints are left of a build that was dropped': {
    storm: 5,
    planted: { hasBuilds: true, operated: forgettingCheckpoints },
    seenBy: /nothing is left: notes@1.* in checkpoints/,
  },
  'the build that was live is quiet for as long as requests may take, and not for as long as an alias counts as well':
    {
      storm: 5,
      planted: { hasBuilds: true, operated: endingThePauseEarly },
      seenBy: /readers go forward|quiet is quiet: .* while readers may/,
    },
  'an event is redriven in the build that readers see, and not in the others': {
    planted: { hasBuilds: true, redrivenIn: (standing) => standing.filter(({ isLive }) => isLive) },
    seenBy: /readers go forward|is not redriven/,
  },
  'a redrive keeps no pause, and nobody knows of it': {
    storm: 7,
    planted: { hasBuilds: true, written: (documents) => withoutPause(withoutNote(documents)) },
    seenBy: /readers go forward|the index is ready|no regress|quiet is quiet: operator/,
  },
  'what a build parks that is not live is not noted for upstream': {
    storm: 7,
    planted: { hasBuilds: true, documents: forgettingAnnouncements },
    seenBy: /upstream hears of it: .* was never announced/,
  },
};
