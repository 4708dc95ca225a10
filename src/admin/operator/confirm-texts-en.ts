/** What a confirmation says. `{to}`, `{from}` and `{build}` are builds; `undo` says whether there is a way back. */
export const confirmEn = {
  title: {
    redrive: 'Redrive this event',
    redrive_all: 'Redrive these events',
    cut_over: 'Make {to} live',
    rollback: 'Go back to {to}',
    cancel: 'Remove {build}',
  },
  what: {
    redrive:
      'The event is decoded and folded again, in every build that has parked it. If it is refused again, it stays parked with the new reason.',
    redrive_all:
      'The events counted here are decoded and folded again, the oldest first. Those that are refused again stay parked; those that were parked later are left alone.',
    cut_over:
      'Readers see {to} in the place of {from}. A build that nobody has verified is compared with the log first, and stays beside the live one if it differs.',
    rollback:
      'Readers see {to} again in the place of {from}, without a verification. Nothing but a cut-over by hand makes another build live after that.',
    cancel:
      'The build is removed with its documents, its search index, its parked events and its place in the log. Readers do not see it, so they notice nothing.',
  },
  undo: {
    redrive: 'It cannot be undone: what is folded stays in the documents that readers see.',
    cut_over: 'It can be undone: "Roll back" goes back to {from}, which is kept for an hour at least.',
    rollback: 'It can be undone: "Cut over" makes {from} live again for as long as it stands.',
    cancel: 'It cannot be undone: having it again takes a rebuild from the whole log.',
  },
  facts: 'What it is about',
  back: 'Change nothing',
  live: 'Live now',
  next: 'Live afterwards',
  removed: 'What is removed',
  fewer: {
    one: 'It has {count} document fewer than the live build.',
    few: '',
    many: '',
    other: 'It has {count} documents fewer than the live build.',
  },
  obstacle: {
    not_complete:
      'This cannot be done yet: {build} has not caught up with the log. Its progress is shown on the page.',
    kept: 'This cannot be done yet: {build} was live until recently, and is kept for a rollback until {until}.',
    unservable:
      'This cannot be done yet: {server} serves readers and has no answers for {build}. Stop it, or give it the release that has.',
  },
};
