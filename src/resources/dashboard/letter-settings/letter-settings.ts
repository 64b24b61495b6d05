import { flag, oneOf, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

/** E-mails to buyers, switched on or off for the whole account. */
export const TO_BUYERS = {
  refund: flag('Whether buyers are e-mailed about refunds', true),
  renewal: flag('Whether buyers are e-mailed 30 days before a renewal of six months or longer', true),
  trial: flag('Whether buyers are e-mailed before a trial ends', true),
  cancellation: flag('Whether buyers are e-mailed when a subscription is canceled, or ends unpaid', true),
}

/** E-mails to a member, switched on or off by that member. */
export const TO_TEAM = {
  sales: flag('Whether you are e-mailed about sales, at most once a day', false),
  failed_payments: flag('Whether you are e-mailed about failed payments, at most once a day', true),
  disputes: flag('Whether you are e-mailed about disputes', true),
  refunds: flag('Whether you are e-mailed about refunds, at most once a day', false),
  plans: flag('Whether you are e-mailed about plans that wait for a decision', true),
}

export const LetterSettings = answerNoun('letter_settings', {
  group: 'Account',
  area: 'account',
  description: 'E-mails to buyers that the account sends, and e-mails to the team that the caller gets.',
  fields: { ...TO_BUYERS, ...TO_TEAM },
})

export const PREVIEWS = [
  'receipt',
  'invoice',
  'failed_payment',
  'payment_again',
  'refund',
  'renewal',
  'trial_start',
  'trial',
  'cancellation',
  'sales',
  'failed_payments',
  'disputes',
  'refunds',
  'plans',
] as const

export const LetterPreview = answerNoun('letter_preview', {
  group: 'Account',
  area: 'account',
  description: 'A letter of the account with example data.',
  fields: {
    letter: oneOf(PREVIEWS, 'Name of the letter'),
    subject: text('Subject', { max: 500, example: 'Your receipt from Ada’s Books' }),
    text: text('Its part in plain text', { max: 200_000, example: 'Thank you for your order' }),
    html: text('Its part in HTML', { max: 200_000, example: '<p>Thank you for your order</p>' }),
  },
})
