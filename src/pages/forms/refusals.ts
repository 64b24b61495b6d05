import { refusalsIn } from '../parts/parts.ts'

export const FORM_REFUSALS = refusalsIn({
  foreign: 'it was not accepted. Open the form and try again.',
  tooMany: 'Too many submissions in a short time. The last one was not accepted.',
  open: 'Open the form',
  openAgain: 'Open the form again',
  undone: 'Nothing was submitted.',
  busy: 'The shop is very busy',
  broken: (requestId) => `Nothing was submitted. If this happens again, give the shop this number: ${requestId}.`,
})
