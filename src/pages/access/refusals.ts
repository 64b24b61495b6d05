import { refusalsIn } from '../parts/refusals.ts'

/** What the pages of buyers say when they do not do what was asked. */
export const ACCESS_REFUSALS = refusalsIn({
  foreign: 'it was not accepted, and nothing was changed. Open the page and try again.',
  tooMany: 'Too many attempts in a short time. Nothing was changed.',
  open: 'Open the page',
  openAgain: 'Open the page again',
  undone: 'Nothing was changed.',
  busy: 'The shop is very busy',
  broken: (requestId) => `Please try again. If this happens again, give the shop this number: ${requestId}.`,
})
