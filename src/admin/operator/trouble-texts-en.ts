/** What did not work, and what to do next. */
export const troubleEn = {
  back: 'To the operator page',
  again: 'Look again',
  missing: { title: 'There is no such page', text: 'It may have been an event that is no longer parked.' },
  gone: {
    title: 'There is nothing to do any more',
    text: 'The event or the build is not there now, or is live already. Nothing was done.',
  },
  stale: {
    title: 'This has changed since it was shown',
    text: 'Nothing was done. Look at it as it is now, and confirm that.',
  },
  used: {
    title: 'This confirmation is used up',
    text: 'It was sent already, or is too old. Nothing was done this time: the list of acts says what was done before.',
  },
  locked: {
    title: 'The page is locked',
    text: 'Acts need the operator secret. Open the page, unlock it, and choose the act again.',
  },
  forged: {
    title: 'This form did not come from the unlocked page',
    text: 'Nothing was done. Open the page, unlock it again, and repeat what you wanted.',
  },
  wrong: { title: 'That is not the secret', text: 'Nothing was unlocked. The attempt was noted in the log.' },
  elsewhere: { title: 'Not in this process', text: 'Open the page of a projector.' },
  unavailable: {
    title: 'This cannot be done now',
    text: 'A store does not answer. Look at the list of acts before you repeat anything.',
  },
};
