import type { PaymentProvider } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { providerOf } from '../../sales/payment/provider.ts'

/** The provider that takes the account's payments, and what stands between it and real money. */
export async function showPaymentSettings(context: Context) {
  const provider = providerOf(context)
  const { name, title, live } = provider
  return { provider: name, provider_title: title, takes_real_money: live, ...detailsOf(context, provider) }
}

function detailsOf({ test, services, publicUrl }: Context, provider: PaymentProvider) {
  const { payments } = services
  if (test) return { reason: 'This is a test account, so its payments are never real.', ...NOTHING_TO_DO }
  const isSetUp = provider.name !== payments.test.name
  const missing = isSetUp ? provider.missing : payments.options.flatMap(({ setUp }) => setUp)
  const poster = (isSetUp ? [provider] : payments.options).find(({ noticesPath }) => noticesPath !== null)
  return {
    reason: provider.reason,
    missing: [...missing],
    notices_from: poster?.title ?? null,
    notices_url: poster ? `${publicUrl}${poster.noticesPath}` : null,
  }
}

const NOTHING_TO_DO = { missing: [], notices_from: null, notices_url: null }
