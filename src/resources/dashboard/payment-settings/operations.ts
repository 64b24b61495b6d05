import { ApiError } from '../../../contract/declarations/errors.ts'
import { text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { custom, outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { connectByKey, onboardingUrl, requireLive } from '../../sales/payment/connection/connect.ts'
import { checkConnection, deleteConnection, removeConnection } from '../../sales/payment/connection/inspect.ts'
import { Done, done } from '../done.ts'

const PaymentOnboarding = answerNoun('payment_onboarding', {
  group: 'Account',
  area: 'settings',
  description: 'The way to an account at the payment provider.',
  fields: { url: text('Page of the provider; it opens once, for a few minutes', { example: 'https://pay.example' }) },
})

const CONNECTING = {
  provider: text('Provider to connect; the only one by default', { max: 40, example: 'test' }).optional(),
  key: text('Secret or restricted key of the account at the provider; tested at once, stored encrypted, never shown', {
    max: 300,
    pattern: /^[!-~]+$/,
    says: 'must be visible ASCII characters without spaces',
    example: 'rk_live_…',
  })
    .secret()
    .required(),
}

/** Payment keys give access to money, so only people, not agents, may enter or remove them. */
const BY_PEOPLE = { callers: ['session'], right: 'settings.write', answers: Done, inTurn: true } as const

export const paymentConnections = resource(Done, {
  dashboard: [
    outside({
      ...BY_PEOPLE,
      id: 'connect_payments',
      method: 'POST',
      path: '/payment_settings/connections',
      summary: 'Connect the account to a payment provider by a key of its own',
      body: CONNECTING,
      async rule(context, { input }) {
        requireLive(context)
        const provider = input.provider ?? onlyProvider(context)
        return done(connectByKey(context, provider, input.key))
      },
    }),
    outside({
      ...BY_PEOPLE,
      id: 'begin_payment_onboarding',
      method: 'POST',
      path: '/payment_settings/onboarding',
      summary: 'Make an account at the payment provider, or go on with it',
      answers: PaymentOnboarding,
      rule: async (context) => ({ url: await onboardingUrl(context, onlyProvider(context)) }),
    }),
    outside({
      ...BY_PEOPLE,
      id: 'check_payment_connection',
      method: 'POST',
      path: '/payment_settings/connections/{id}/check',
      summary: 'Ask the payment provider about a connection again',
      rule: (context, { path }) => done(checkConnection(context, path.id)),
    }),
    custom({
      ...BY_PEOPLE,
      id: 'remove_payment_connection',
      method: 'POST',
      path: '/payment_settings/connections/{id}/remove',
      summary: 'Stop new sales and renewals by a connection',
      rule: (context, { path }) => done(removeConnection(context, path.id)),
    }),
    outside({
      ...BY_PEOPLE,
      id: 'delete_payment_connection',
      method: 'DELETE',
      path: '/payment_settings/connections/{id}',
      summary: 'Delete the key of a removed connection',
      rule: (context, { path }) => done(deleteConnection(context, path.id)),
    }),
  ],
})

function onlyProvider({ services }: OutsideContext): string {
  const [connector] = services.payments.connectors
  if (!connector) throw new ApiError('invalid_state', 'This service connects no accounts to payment providers.')
  return connector.name
}
