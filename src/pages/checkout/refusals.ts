import { refusalsIn } from '../parts/refusals.ts'

/** What the pages of checkouts say when they do not do what was asked: what happened to the money comes first. */
export const CHECKOUT_REFUSALS = refusalsIn({
  foreign: 'it was not taken, and nothing was charged. Open the checkout itself and try again.',
  tooMany: 'This was tried too often in a short time. Nothing was charged by the last try.',
  open: 'Open the checkout',
  openAgain: 'Look at the checkout',
  undone: 'Nothing was charged.',
  busy: 'The shop is very busy',
  broken: (requestId) =>
    `Look at the checkout before you try again: it says whether you have paid. If it happens again, tell the shop the number ${requestId}.`,
})
