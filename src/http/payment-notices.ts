import { ApiError } from '../contract/declarations/errors.ts'
import { KeyRefusedError } from '../providers/payments/connector.ts'
import { BadNoticeError, type Notice, type PaymentProvider } from '../providers/payments/provider.ts'
import type { ApiParts, ApiRequest } from './api.ts'

/** A payment provider, or an account's connection to one. Its webhooks arrive at `noticesPath`. */
export type NoticeSource = Pick<PaymentProvider, 'name' | 'noticesPath' | 'readNotice'>

export interface NoticeParts {
  providers: readonly NoticeSource[]
  /** The names of the providers to which accounts can connect themselves. */
  connectors: readonly string[]
  /** Returns an account's connection to a provider, or null. Each connection has its own webhook path. */
  connection(named: { provider: string; accountId: string; id: string }): Promise<NoticeSource | null>
  /** Applies a webhook. Several webhooks may report the same payment. If this rejects, the provider sends the webhook again. */
  onNotice(notice: Notice, provider: string): Promise<void>
}

/** The maximum size of a webhook. Most have a few kilobytes. */
const LIMIT_BYTES = 256_000
const RETRY_AFTER_S = '30'

/**
 * Reads a webhook and applies it. With `ownAccount`, ignores webhooks for other accounts, which may share one account at the
 * provider. Throws an ApiError if the webhook was not applied.
 */
export async function takeNotice(
  provider: NoticeSource,
  { onNotice, bodies, log }: Pick<NoticeParts, 'onNotice'> & Pick<ApiParts, 'bodies' | 'log'>,
  { request, header, address, requestId }: ApiRequest & { requestId: string },
  ownAccount?: string,
): Promise<void> {
  // A webhook has no caller, so the memory limit for bodies applies to the sender's address.
  const body = { request, header, accountId: `notices from ${address}`, limitBytes: LIMIT_BYTES }
  try {
    const notice = await bodies.read(body, (bytes) => provider.readNotice(bytes, header))
    if (notice && (ownAccount ?? notice.accountId) === notice.accountId) await onNotice(notice, provider.name)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof BadNoticeError) throw new ApiError('parameter_invalid', error.message)
    // If the provider refused an account's own key, the account gets an email, so only other errors are logged.
    if (!(error instanceof KeyRefusedError) || error.owner === 'service')
      log.error(
        { err: error, requestId, provider: provider.name },
        'A notice from the payment provider could not be applied',
      )
    const message = 'The notice could not be applied. Send it again later.'
    throw new ApiError('overloaded', message, { headers: { 'Retry-After': RETRY_AFTER_S } })
  }
}
