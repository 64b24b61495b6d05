/** Texts that explain to people why a payment failed. */
interface Decline {
  merchant: string
  /** The text for the buyer, without anything that could help a thief. */
  buyer: string
  advice: string
}

const WAIT = 'Another try may work once there is money in the account, such as after payday.'
const OTHER_CARD =
  'Trying this card again will not help: send the payment link, so that the buyer can enter another one.'
const BY_BUYER = 'Send the payment link: the buyer has to take part in this payment.'
const SOON = 'This often passes by itself: try again in a while.'

/** Decline reasons by our own codes. Each provider maps its codes to these, and its own sentence is stored as well. */
const DECLINES = {
  insufficient_funds: {
    merchant: 'There is not enough money in the buyer’s account.',
    buyer: 'There was not enough money in your account.',
    advice: WAIT,
  },
  expired_card: { merchant: 'The card has expired.', buyer: 'Your card has expired.', advice: OTHER_CARD },
  card_declined: {
    merchant: 'The bank declined the card and did not say why.',
    buyer: 'The card was declined. Your bank can tell you why.',
    advice: 'Another try may work. The buyer can ask the bank, or enter another card by the payment link.',
  },
  lost_or_stolen: {
    merchant: 'The card was reported lost or stolen. Do not tell the buyer so: say that the bank declined it.',
    buyer: 'The card was declined. Your bank can tell you why.',
    advice: OTHER_CARD,
  },
  suspected_fraud: {
    merchant: 'The payment was declined as possible fraud. Do not tell the buyer so: say that the bank declined it.',
    buyer: 'The card was declined. Your bank can tell you why.',
    advice: OTHER_CARD,
  },
  authentication_required: {
    merchant: 'The bank wants the buyer to confirm this payment.',
    buyer: 'Your bank wants you to confirm this payment.',
    advice: BY_BUYER,
  },
  limit_exceeded: {
    merchant: 'The payment is above a limit of the card.',
    buyer: 'This payment is above a limit of your card.',
    advice: 'Another try may work when the limit begins anew, often the next day or month.',
  },
  incorrect_details: {
    merchant: 'The details of the card are wrong.',
    buyer: 'The details of your card are wrong.',
    advice: OTHER_CARD,
  },
  not_supported: {
    merchant: 'The card cannot be used for this kind of payment or this currency.',
    buyer: 'Your card cannot be used for this payment.',
    advice: OTHER_CARD,
  },
  account_closed: {
    merchant: 'The buyer’s account is closed, or the card was replaced.',
    buyer: 'Your card is no longer valid.',
    advice: OTHER_CARD,
  },
  processing_error: {
    merchant: 'The bank could not be reached, or made an error.',
    buyer: 'Your bank could not be reached.',
    advice: SOON,
  },
  no_card: { merchant: 'No card is saved.', buyer: 'No card is saved.', advice: BY_BUYER },
  not_completed: {
    merchant: 'The buyer began to pay and did not finish.',
    buyer: 'The payment was not finished.',
    advice: BY_BUYER,
  },
  other: {
    merchant: 'The payment failed.',
    buyer: 'The payment failed.',
    advice: 'The provider’s own words say more. The buyer can pay by the payment link.',
  },
} as const satisfies Record<string, Decline>

export type DeclineCode = keyof typeof DECLINES

/** Returns the texts for a stored code; those for `other` if the code is unknown or null. */
export function declineOf(code: string | null): Decline {
  return Object.entries(DECLINES).find(([known]) => known === code)?.[1] ?? DECLINES.other
}
