import type { DeclineCode } from '../../../words/declines.ts'

/** Stripe's codes in our words: https://docs.stripe.com/declines/codes and https://docs.stripe.com/error-codes. */
const CODES = new Map<string, DeclineCode>(
  Object.entries({
    insufficient_funds: 'insufficient_funds',
    expired_card: 'expired_card',
    invalid_expiry_month: 'expired_card',
    invalid_expiry_year: 'expired_card',
    lost_card: 'lost_or_stolen',
    stolen_card: 'lost_or_stolen',
    pickup_card: 'lost_or_stolen',
    restricted_card: 'lost_or_stolen',
    fraudulent: 'suspected_fraud',
    merchant_blacklist: 'suspected_fraud',
    security_violation: 'suspected_fraud',
    authentication_required: 'authentication_required',
    authentication_not_handled: 'authentication_required',
    payment_intent_authentication_failure: 'authentication_required',
    approve_with_id: 'authentication_required',
    mobile_device_authentication_required: 'authentication_required',
    offline_pin_required: 'authentication_required',
    online_or_offline_pin_required: 'authentication_required',
    card_velocity_exceeded: 'limit_exceeded',
    withdrawal_count_limit_exceeded: 'limit_exceeded',
    amount_too_large: 'limit_exceeded',
    invalid_amount: 'limit_exceeded',
    incorrect_number: 'incorrect_details',
    invalid_number: 'incorrect_details',
    incorrect_cvc: 'incorrect_details',
    invalid_cvc: 'incorrect_details',
    incorrect_zip: 'incorrect_details',
    incorrect_address: 'incorrect_details',
    incorrect_pin: 'incorrect_details',
    invalid_pin: 'incorrect_details',
    card_not_supported: 'not_supported',
    currency_not_supported: 'not_supported',
    not_permitted: 'not_supported',
    service_not_allowed: 'not_supported',
    transaction_not_allowed: 'not_supported',
    testmode_decline: 'not_supported',
    invalid_account: 'account_closed',
    new_account_information_available: 'account_closed',
    issuer_not_available: 'processing_error',
    processing_error: 'processing_error',
    reenter_transaction: 'processing_error',
    try_again_later: 'processing_error',
    call_issuer: 'card_declined',
    card_declined: 'card_declined',
    do_not_honor: 'card_declined',
    do_not_try_again: 'card_declined',
    generic_decline: 'card_declined',
    no_action_taken: 'card_declined',
    revocation_of_all_authorizations: 'card_declined',
    revocation_of_authorization: 'card_declined',
    stop_payment_order: 'card_declined',
  } as const),
)

function codeOf(given: unknown): DeclineCode | undefined {
  return typeof given === 'string' ? CODES.get(given) : undefined
}

interface Declined {
  code?: unknown
  decline_code?: unknown
}

/** Our word for what Stripe says. Its decline code says more than its code; one that is not known is as good as none. */
export function declineCodeOf({ code, decline_code }: Declined): DeclineCode {
  return codeOf(decline_code) ?? codeOf(code) ?? 'other'
}
