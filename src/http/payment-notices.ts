import { ApiError } from '../contract/declarations/errors.ts'
import { KeyRefusedError } from '../outside/payments/connector.ts'
import { BadNoticeError, type Notice, type PaymentProvider } from '../outside/payments/provider.ts'
import type { ApiParts, Incoming } from './api.ts'

/** Reads the notices that a provider posts to a path. */
export type NoticeSource = Pick<PaymentProvider, 'name' | 'noticesPath' | 'readNotice'>

/** The providers of payments, and what is done with the notices that they post. */
export interface NoticeParts {
  providers: readonly NoticeSource[]
  /** Names of the providers that accounts connect themselves. */
  connectors: readonly string[]
  /** The connection of an account that posts to its own path; null for an unknown one. */
  connection(named: { provider: string; accountId: string; id: string }): Promise<NoticeSource | null>
  /** Applies a notice, of which several may be about one thing. A rejection makes the provider of the name post it again. */
  onNotice(notice: Notice, provider: string): Promise<void>
}

/** Notices are a few kilobytes. */
const LIMIT_BYTES = 256_000
const RETRY_AFTER_S = '30'

/**
 * Takes what a provider posts: resolves once it is applied, or is about nothing of ours. Throws `parameter_invalid` for what
 * is no valid notice, `request_too_large`, or `overloaded` when it could not be read or applied; nothing has changed then. What a
 * connection posts counts for its `ownAccount` alone: other accounts may be connected to the same place.
 */
export async function takeNotice(
  provider: NoticeSource,
  { onNotice, bodies, log }: Pick<NoticeParts, 'onNotice'> & Pick<ApiParts, 'bodies' | 'log'>,
  { request, header, address, requestId }: Incoming & { requestId: string },
  ownAccount?: string,
): Promise<void> {
  // Nobody has signed in here, so what a sender holds of the memory is counted by its address.
  const body = { request, header, accountId: `notices from ${address}`, limitBytes: LIMIT_BYTES }
  try {
    const notice = await bodies.read(body, (bytes) => provider.readNotice(bytes, header))
    if (notice && (ownAccount ?? notice.accountId) === notice.accountId) await onNotice(notice, provider.name)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof BadNoticeError) throw new ApiError('parameter_invalid', error.message)
    // The account learns by e-mail that its key is refused.
    if (!(error instanceof KeyRefusedError) || error.owner === 'service')
      log.error(
        { err: error, requestId, provider: provider.name },
        'A notice from the payment provider could not be applied',
      )
    const message = 'The notice could not be applied. Send it again later.'
    throw new ApiError('overloaded', message, { headers: { 'Retry-After': RETRY_AFTER_S } })
  }
}
