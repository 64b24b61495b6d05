import { refusalsIn } from '../parts/refusals.ts'

/** What the pages before and around signing in say when they do not do what was asked. */
export const SIGN_IN_REFUSALS = refusalsIn({
  foreign: 'it was not taken. Open the page itself and try again.',
  tooMany: 'This was tried too often in a short time.',
  open: 'Open the page',
  openAgain: 'Open the page again',
  undone: 'Nothing was changed.',
  busy: 'The service is very busy',
  broken: (requestId) =>
    `Please try again. If it happens again, give the operator of this service the number ${requestId}.`,
})
