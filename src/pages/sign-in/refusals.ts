import { refusalsIn } from '../parts/refusals.ts'

export const SIGN_IN_REFUSALS = refusalsIn({
  foreign: 'it was not accepted. Open the page and try again.',
  tooMany: 'Too many attempts in a short time.',
  open: 'Open the page',
  openAgain: 'Open the page again',
  undone: 'Nothing was changed.',
  busy: 'The service is very busy',
  broken: (requestId) =>
    `Please try again. If this happens again, give the operator of this service this number: ${requestId}.`,
})
