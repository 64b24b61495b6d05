import { keysOf } from '../../../contract/values/keys.ts'
import type { DeclineCode } from '../../../format/declines.ts'

/** Our decline codes with the matching codes of Stripe: https://docs.stripe.com/declines/codes and https://docs.stripe.com/error-codes. */
const CODES: Partial<Record<DeclineCode, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds'],
  expired_card: ['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'],
  lost_or_stolen: ['lost_card', 'stolen_card', 'pickup_card', 'restricted_card'],
  suspected_fraud: ['fraudulent', 'merchant_blacklist', 'security_violation'],
  authentication_required: [
    'authentication_required',
    'authentication_not_handled',
    'payment_intent_authentication_failure',
    'approve_with_id',
    'mobile_device_authentication_required',
    'offline_pin_required',
    'online_or_offline_pin_required',
  ],
  limit_exceeded: ['card_velocity_exceeded', 'withdrawal_count_limit_exceeded', 'amount_too_large', 'invalid_amount'],
  incorrect_details: [
    'incorrect_number',
    'invalid_number',
    'incorrect_cvc',
    'invalid_cvc',
    'incorrect_zip',
    'incorrect_address',
    'incorrect_pin',
    'invalid_pin',
  ],
  not_supported: [
    'card_not_supported',
    'currency_not_supported',
    'not_permitted',
    'service_not_allowed',
    'transaction_not_allowed',
    'testmode_decline',
  ],
  account_closed: ['invalid_account', 'new_account_information_available'],
  processing_error: ['issuer_not_available', 'processing_error', 'reenter_transaction', 'try_again_later'],
  card_declined: [
    'call_issuer',
    'card_declined',
    'do_not_honor',
    'do_not_try_again',
    'generic_decline',
    'no_action_taken',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'stop_payment_order',
  ],
}

const OUR_CODES = new Map(keysOf(CODES).flatMap((ours) => (CODES[ours] ?? []).map((code) => [code, ours] as const)))

function codeOf(given: unknown): DeclineCode | undefined {
  return typeof given === 'string' ? OUR_CODES.get(given) : undefined
}

/** Returns our code. Stripe's `decline_code` is more specific than `code`, so it takes precedence; unknown codes are ignored. */
export function declineCodeOf({ code, decline_code }: { code?: unknown; decline_code?: unknown }): DeclineCode {
  return codeOf(decline_code) ?? codeOf(code) ?? 'other'
}
