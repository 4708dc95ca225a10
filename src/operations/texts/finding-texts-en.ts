import { HALT_TEXTS } from '../../projecting/engine/lane.ts';

/** What findings say, in English. A place is a fact of the finding; `{start}` is `start`, `{catalog}` the command line. */
export const en = {
  counts: {
    waiting: { one: '{count} record waits', few: '', many: '', other: '{count} records wait' },
    documents: { one: '{count} document waits', few: '', many: '', other: '{count} documents wait' },
    more: { one: '{count} more is', few: '', many: '', other: '{count} more are' },
    parked: { one: '{count} parked event waits', few: '', many: '', other: '{count} parked events wait' },
  },
  start: 'Start one: "npm start", or "{catalog} project".',
  unknown: 'no reason is known yet',
  never: 'ever',
  subjects: {
    never_projected: 'all read models',
    no_projector: 'all read models',
    not_announced: 'rejections',
    verification_due: 'documents',
    parked: 'events',
  },
  halted: { ...HALT_TEXTS, said: 'its projector says: {reason}' },
  never_projected: 'nobody has ever projected here. {start} Or set CATALOG_DATA to the folder that is meant.',
  no_projector: 'no projector is alive: events that are published from now on will wait. {start}',
  not_projected: '{waiting}, and no projector has been heard of since {heard_of_at}. {start}',
  no_owner:
    '{waiting}, and no live projector has this lane. Wait half a minute for the log to assign it; then restart the projectors one by one.',
  waits_for_transaction:
    '{waiting} for an open transaction of their publisher: the log hands them out once it is committed or aborted.',
  paused: 'paused by {where} for {for_ms}: {reason}. It is tried again by itself.',
  not_claimed: 'not claimed yet by {where} for {for_ms}: {reason}. It is tried again by itself.',
  not_ready: 'this projector is not ready: {detail}',
  never_complete: {
    live: 'it has not caught up with the log yet, so the API is not ready. {how}',
    beside: 'it has not caught up with the log yet: readers see the live build until it is made live. {how}',
    under_way: 'A projector is at it: {waiting}, and its index comes last.',
  },
  not_fed: {
    trouble: 'the search engine is not told of changes: {trouble}',
    no_projector: '{documents}: no projector is running, and projectors feed it.',
    no_feeder: '{documents}: no projector feeds it.',
    behind: 'it has been behind for {behind_ms}.',
  },
  filling: '/search is 503 until it has everything.',
  not_searchable: { one: 'the search engine refuses it: {reason}', more: '{more} not searchable.' },
  not_announced:
    'refused events are parked, and upstream is not told: {trouble} Where that is meant, set CATALOG_REJECTIONS=off.',
  upgrade_ready: 'it has caught up with the log: "{catalog} cut-over {name} --to {subject}" makes it live.',
  verification_due:
    'they were restored from a copy, and were not verified since: events may be missing without a trace. "{catalog} verify" says which.',
  parked: '{parked} for a decision: "{catalog} parked list".',
  unknown_fold:
    'this release does not have its fold: only the release that made it can verify or redrive it.',
};
