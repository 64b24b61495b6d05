import { ApiError } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Context, OutsideContext } from '../../../records/context.ts'
import { custom, outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { connectByKey, onboardingUrl, requireLive } from '../../sales/payment/connection/connect.ts'
import { checkConnection, deleteConnection, removeConnection } from '../../sales/payment/connection/inspect.ts'
import { CONNECTING, PaymentOnboarding, PaymentSettings } from './payment-settings.ts'
import { showPaymentSettings } from './show.ts'

/** Payment keys give access to money, so only people, not agents, may enter or remove them. */
const BY_PEOPLE = { callers: ['session'], answers: PaymentSettings } as const

export const paymentSettings = resource(PaymentSettings, {
  dashboard: [
    custom({
      id: 'retrieve_payment_settings',
      method: 'GET',
      path: '/payment_settings',
      summary: 'Show how the account takes payments',
      answers: PaymentSettings,
      rule: showPaymentSettings,
    }),
    outside({
      ...BY_PEOPLE,
      id: 'connect_payments',
      method: 'POST',
      path: '/payment_settings/connections',
      summary: 'Connect the account to a payment provider by a key of its own',
      body: CONNECTING,
      inTurn: true,
      async rule(context, { input }) {
        requireLive(context)
        const provider = input.provider ?? onlyProvider(context)
        await connectByKey(context, provider, input.key)
        return showPaymentSettings(context)
      },
    }),
    outside({
      id: 'begin_payment_onboarding',
      method: 'POST',
      path: '/payment_settings/onboarding',
      summary: 'Make an account at the payment provider, or go on with it',
      callers: ['session'],
      answers: PaymentOnboarding,
      inTurn: true,
      rule: async (context) => ({ url: await onboardingUrl(context, onlyProvider(context)) }),
    }),
    outside({
      ...BY_PEOPLE,
      id: 'check_payment_connection',
      method: 'POST',
      path: '/payment_settings/connections/{id}/check',
      summary: 'Ask the payment provider about a connection again',
      inTurn: true,
      rule: (context, { path }) => showAfter(context, checkConnection(context, path.id)),
    }),
    custom({
      ...BY_PEOPLE,
      id: 'remove_payment_connection',
      method: 'POST',
      path: '/payment_settings/connections/{id}/remove',
      summary: 'Stop new sales and renewals by a connection',
      inTurn: true,
      rule: (context, { path }) => showAfter(context, removeConnection(context, path.id)),
    }),
    outside({
      ...BY_PEOPLE,
      id: 'delete_payment_connection',
      method: 'DELETE',
      path: '/payment_settings/connections/{id}',
      summary: 'Delete the key of a removed connection',
      inTurn: true,
      rule: (context, { path }) => showAfter(context, deleteConnection(context, path.id)),
    }),
  ],
})

async function showAfter(
  context: Context | OutsideContext,
  done: Promise<void>,
): Promise<AnswerOf<typeof PaymentSettings>> {
  await done
  return showPaymentSettings(context)
}

function onlyProvider({ services }: OutsideContext): string {
  const [connector] = services.payments.connectors
  if (!connector) throw new ApiError('invalid_state', 'This service connects no accounts to payment providers.')
  return connector.name
}
