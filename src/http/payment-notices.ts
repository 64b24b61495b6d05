import { ApiError } from '../contract/declarations/errors.ts'
import { KeyRefusedError } from '../providers/payments/connector.ts'
import { BadNoticeError, type Notice, type PaymentProvider } from '../providers/payments/provider.ts'
import type { ApiParts, ApiRequest } from './api.ts'

/** A source of webhooks: reads what a provider posts to a path. */
export type NoticeSource = Pick<PaymentProvider, 'name' | 'noticesPath' | 'readNotice'>

/** The payment providers, and the handler of their webhooks. */
export interface NoticeParts {
  providers: readonly NoticeSource[]
  /** Names of the providers that accounts connect themselves. */
  connectors: readonly string[]
  /** Returns the connection of an account that has its own webhook path; null if it is unknown. */
  connection(named: { provider: string; accountId: string; id: string }): Promise<NoticeSource | null>
  /** Applies a webhook; several may be about the same thing. A rejection makes the named provider send it again. */
  onNotice(notice: Notice, provider: string): Promise<void>
}

/** Webhooks have a few kilobytes. */
const LIMIT_BYTES = 256_000
const RETRY_AFTER_S = '30'

/**
 * Handles a provider's webhook: resolves once it is applied, or if it is about nothing of ours. Throws `parameter_invalid` for an invalid
 * webhook, `request_too_large`, or `overloaded` if it could not be read or applied; nothing has changed then. The webhook of a connection
 * only applies to its `ownAccount`: other accounts may use the same provider account.
 */
export async function takeNotice(
  provider: NoticeSource,
  { onNotice, bodies, log }: Pick<NoticeParts, 'onNotice'> & Pick<ApiParts, 'bodies' | 'log'>,
  { request, header, address, requestId }: ApiRequest & { requestId: string },
  ownAccount?: string,
): Promise<void> {
  // There is no caller here, so the memory limit for bodies applies to the sender's address.
  const body = { request, header, accountId: `notices from ${address}`, limitBytes: LIMIT_BYTES }
  try {
    const notice = await bodies.read(body, (bytes) => provider.readNotice(bytes, header))
    if (notice && (ownAccount ?? notice.accountId) === notice.accountId) await onNotice(notice, provider.name)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof BadNoticeError) throw new ApiError('parameter_invalid', error.message)
    // An email informs the account that its key was refused.
    if (!(error instanceof KeyRefusedError) || error.owner === 'service')
      log.error(
        { err: error, requestId, provider: provider.name },
        'A notice from the payment provider could not be applied',
      )
    const message = 'The notice could not be applied. Send it again later.'
    throw new ApiError('overloaded', message, { headers: { 'Retry-After': RETRY_AFTER_S } })
  }
}
