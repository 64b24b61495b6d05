import { replacing } from '../../../errors.ts'
import type { DeclineCode } from '../../../format/declines.ts'
import { KeyRefusedError } from '../connector.ts'
import { UnknownOutcomeError } from '../provider.ts'
import { declineCodeOf } from './decline-codes.ts'
import { permissionTitle } from './permissions.ts'

/** The maximum number of characters of a message; stored failures have at most 500. */
const LONGEST_MESSAGE = 300

/** The owner of a request's key: the service for itself, the service as a platform for an account, or the account. */
export type KeyOwner = 'service' | 'platform' | 'account'

/** The only fields of the library's errors that are read, because others contain customers, cards and client secrets. */
interface StripeFault {
  type?: unknown
  statusCode?: unknown
  message?: unknown
  code?: unknown
  decline_code?: unknown
  requestId?: unknown
  payment_intent?: { id?: unknown }
}

/** Converts an error of the library into one of ours: https://docs.stripe.com/api/errors. */
export function explained(error: unknown, owner: KeyOwner): Error {
  const fault = error as StripeFault
  const message = withoutSecrets(String(fault.message ?? error)).slice(0, LONGEST_MESSAGE)
  switch (fault.type) {
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      return refusal(fault, message)
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return keyRefusal(fault, owner)
    default:
      if (isRefusal(fault)) return refusal(fault, message)
      return new UnknownOutcomeError(`Stripe did not report the result of the request: ${message}${traceOf(fault)}`)
  }
}

/** Decides by the status, because version 2 of the API has many more error types. */
function isRefusal({ type, statusCode }: StripeFault): boolean {
  return type !== 'StripeIdempotencyError' && [400, 403, 404, 422].includes(Number(statusCode))
}

function refusal(fault: StripeFault, message: string): RefusedError {
  const reference = typeof fault.payment_intent?.id === 'string' ? fault.payment_intent.id : null
  const Refusal = fault.code === 'resource_missing' ? MissingError : RefusedError
  return new Refusal(message, reference, declineCodeOf(fault))
}

/** Uses only permissions and account ids from Stripe's message, because the message repeats parts of the key. */
function keyRefusal(fault: StripeFault, owner: KeyOwner): KeyRefusedError {
  const said = String(fault.message)
  const account = /\bacct_\w+/.exec(said)?.[0] ?? null
  if (owner === 'platform' && (fault.code === 'account_invalid' || /does not have access to account/.test(said)))
    return new KeyRefusedError('This service no longer has access to the Stripe account. Connect it again.', {
      owner: 'account',
      reason: 'access',
    })
  const permission = /'(?:rak_)?(\w+)' permission/.exec(said)?.[1]
  if (owner !== 'account') return serviceKeyRefusal(fault, permission, account)
  if (permission || fault.type === 'StripePermissionError')
    return new PermissionMissingError(lackOf(permission), 'account', account)
  const hasExpired = fault.code === 'api_key_expired' || said.startsWith('Expired')
  const what = hasExpired
    ? 'has expired or was revoked'
    : 'is not known to Stripe: it was deleted, or not copied in full'
  const message = `The Stripe key ${what}. Make another one in Stripe's dashboard, and enter it here.`
  return new KeyRefusedError(message, { owner: 'account', reason: 'key' })
}

/** Most of Stripe's errors name the missing permission. */
export function lackOf(permission: string | undefined): string {
  return permission
    ? `The Stripe key lacks the permission ${permissionTitle(permission)}. Add it to the key in Stripe's dashboard.`
    : "The Stripe key may not do this. In Stripe's dashboard, check its permissions and the IP addresses that may use it."
}

function serviceKeyRefusal(fault: StripeFault, permission: string | undefined, account: string | null) {
  const message = `Stripe does not accept STRIPE_SECRET_KEY for this request: correct it.${traceOf(fault)}`
  if (permission) return new PermissionMissingError(message, 'service', account)
  return new KeyRefusedError(message, { owner: 'service', reason: 'key' })
}

function traceOf({ requestId, code }: StripeFault): string {
  const parts = [code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function withoutSecrets(message: string): string {
  return message.replaceAll(/\b(sk|rk|pk|whsec)_\S+|_secret_\S+/g, '[secret]')
}

/** The provider refused the request, so no money moves. The message is for the buyer or the merchant. */
export class RefusedError extends Error {
  /** Stripe's id of the refused payment; null if there is none. */
  readonly reference: string | null

  readonly code: DeclineCode

  constructor(message: string, reference: string | null = null, code: DeclineCode = 'other') {
    super(message)
    this.reference = reference
    this.code = code
  }
}

/** Stripe does not know the id in a request. */
export class MissingError extends RefusedError {}

export class PermissionMissingError extends KeyRefusedError {
  /** The account of the key, if Stripe's message names it. */
  readonly account: string | null

  constructor(message: string, owner: KeyRefusedError['owner'], account: string | null) {
    super(message, { owner, reason: 'permission' })
    this.account = account
  }
}

/** Turns a missing permission into a refusal, because only this request fails and it can be repeated once the permission is granted. */
export const notPermitted = replacing(PermissionMissingError, (error) =>
  error.owner === 'account' ? new RefusedError(error.message) : error,
)
