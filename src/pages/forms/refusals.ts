import { refusalsIn } from '../parts/refusals.ts'

/** What the pages of forms say when they do not do what was asked. */
export const FORM_REFUSALS = refusalsIn({
  foreign: 'it was not taken. Open the form itself and try again.',
  tooMany: 'Too many forms were sent in a short time. The last one was not taken.',
  open: 'Open the form',
  openAgain: 'Open the form again',
  undone: 'Nothing was taken.',
  busy: 'The shop is very busy',
  broken: (requestId) => `Nothing was taken. If it happens again, tell the shop the number ${requestId}.`,
})
