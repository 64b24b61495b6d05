import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { PaymentSettings } from './payment_settings.ts'
import { showPaymentSettings } from './show.ts'

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
  ],
})
