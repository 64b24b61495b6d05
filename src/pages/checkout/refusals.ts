import { refusalsIn } from '../parts/refusals.ts'

/** What the pages of checkouts say when they do not do what was asked: what happened to the money comes first. */
export const CHECKOUT_REFUSALS = refusalsIn({
  foreign: 'it was not accepted, and nothing was charged. Open the checkout and try again.',
  tooMany: 'Too many attempts in a short time. The last attempt was not charged.',
  open: 'Open the checkout',
  openAgain: 'Check the checkout',
  undone: 'Nothing was charged.',
  busy: 'The shop is very busy',
  broken: (requestId) =>
    `Before you try again, check the checkout to see whether you have paid. If this happens again, give the shop this number: ${requestId}.`,
})
