interface DisputeCause {
  says: string
  helps: string
}

/** Dispute reasons by our own codes. Any other reason of a provider becomes `general`. */
const CAUSES = {
  fraudulent: {
    says: 'The cardholder says that they did not make this payment.',
    helps:
      'Show that the cardholder bought and used it: earlier purchases, messages, and when it was opened or delivered.',
  },
  product_not_received: {
    says: 'The buyer says that nothing was delivered.',
    helps: 'Say when and how it was delivered, with the tracking number or the time when it was opened.',
  },
  product_unacceptable: {
    says: 'The buyer says that what arrived was defective, or not as described.',
    helps: 'Show how it was described, and what you offered the buyer: a replacement, a repair or a refund.',
  },
  credit_not_processed: {
    says: 'The buyer says that a refund was promised, or the purchase canceled, and the money did not come back.',
    helps: 'Say when you refunded it, or why the buyer has no right to a refund, with your refund policy.',
  },
  duplicate: {
    says: 'The buyer says that the same purchase was charged twice.',
    helps: 'Show that the two payments were for different things, or that one of them was refunded.',
  },
  subscription_canceled: {
    says: 'The buyer says that the subscription was canceled before this payment.',
    helps: 'Say when it was canceled, if ever, what the buyer agreed to, and whether it was used afterwards.',
  },
  unrecognized: {
    says: 'The cardholder does not recognise the payment on their statement.',
    helps:
      'Write to the buyer first: they may withdraw it. Otherwise say what was bought, by whom, and how it was used.',
  },
  general: {
    says: 'The bank gives no reason of its own.',
    helps: 'Write to the buyer to learn the reason, and say what was bought and that it was delivered.',
  },
} as const satisfies Record<string, DisputeCause>

export type DisputeReason = keyof typeof CAUSES

export function causeOf(reason: DisputeReason): DisputeCause {
  return CAUSES[reason]
}

export function disputeReason(given: string): DisputeReason {
  return isKnown(given) ? given : 'general'
}

function isKnown(given: string): given is DisputeReason {
  return Object.hasOwn(CAUSES, given)
}
