/** What findings say, in English. `{start}` is `start`; a `{reason}` or `{detail}` is a program's own words. */
export const en = {
  records: { one: '{count} record waits', few: '', many: '', other: '{count} records wait' },
  documents: { one: '{count} document waits', few: '', many: '', other: '{count} documents wait' },
  recordsToGo: { one: '{count} record', few: '', many: '', other: '{count} records' },
  start: 'Start one: "npm start", or "{command}".',
  noReason: 'no reason is known yet',
  never: 'ever',
  subjects: {
    never_projected: 'all read models',
    no_projector: 'all read models',
    not_announced: 'rejections',
    not_ready: 'projector {where}',
    verification_due: 'documents',
    parked: 'events',
  },
  halted: {
    gap: 'the log no longer holds the records {from} to {to}, which were not read. Restore the log, or accept it with --accept-gap {lane}.',
    log_younger:
      'the log ends at {latest}, before the checkpoint {position}: it was replaced or restored from an older backup. Bring the right log back, or accept it with --accept-gap {lane}, which folds the new log from its start into what is there.',
    log_replaced:
      'at {position} the log holds a record of {found}, where one of {time} was consumed: it was replaced or restored from an older backup, and has grown past the checkpoint. Bring the right log back, or accept it with --accept-gap {lane}, which folds the new log from its start into what is there.',
    said: 'its projector says: {reason}',
  },
  never_projected: 'nobody has ever projected here. {start} Or set CATALOG_DATA to the folder that is meant.',
  no_projector: 'no projector is alive: events that are published from now on will wait. {start}',
  not_projected: '{records}, and no projector has been heard of since {since}. {start}',
  no_owner:
    '{records}, and no live projector has this lane. Wait half a minute for the log to assign it; then restart the projectors one by one.',
  waits_for_transaction:
    '{records} for an open transaction of their publisher: the log hands them out once it is committed or aborted.',
  paused: 'paused by {where} for {time}: {reason}. It is tried again by itself.',
  not_claimed: 'not claimed yet by {where} for {time}: {reason}. It is tried again by itself.',
  not_ready: 'it is not ready: {detail}',
  never_complete: {
    live: 'it has not caught up with the log yet, so the API is not ready. {how}',
    beside: 'it has not caught up with the log yet: readers see the live build until it is made live. {how}',
    under_way: 'A projector is at it: {toGo} to go, then its index.',
  },
  not_fed: {
    trouble: 'the search engine is not told of changes: {trouble}',
    no_projector: '{documents}: no projector is running, and projectors feed it.',
    no_feeder: '{documents}: no projector feeds it.',
    behind: 'it has been behind for {time}.',
  },
  filling: '/search is 503 until it has everything.',
  not_searchable: {
    one: 'the search engine refuses it: {reason}',
    more: {
      one: '{count} more is not searchable.',
      few: '',
      many: '',
      other: '{count} more are not searchable.',
    },
  },
  not_announced:
    'refused events are parked, and upstream is not told: {trouble} Where that is meant, set CATALOG_REJECTIONS=off.',
  upgrade_ready: 'it has caught up with the log: "{command}" makes it live.',
  verification_due:
    'they were restored from a copy, and were not verified since: events may be missing without a trace. "{command}" says which.',
  parked: {
    one: '{count} parked event waits for a decision: "{command}".',
    few: '',
    many: '',
    other: '{count} parked events wait for a decision: "{command}".',
  },
  unknown_fold:
    'this release does not have its fold: only the release that made it can verify or redrive it.',
};
