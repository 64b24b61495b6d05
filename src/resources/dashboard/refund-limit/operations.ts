import { currency, money } from '../../../contract/declarations/kinds.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { keepRefundLimits, refundLimits } from '../../company/account/refund-limits.ts'
import { Done, done } from '../done.ts'

export const refundLimitChanges = resource(Done, {
  dashboard: [
    custom({
      id: 'set_refund_limit',
      right: 'settings.write',
      method: 'PATCH',
      path: '/refund_limits',
      summary: 'Set what support may refund on one order in a currency; 0 for nothing',
      answers: Done,
      inTurn: true,
      body: {
        currency: currency('Currency of the orders').required(),
        amount: money('The most that they refund on one order', { min: 0, example: 5000 }).required(),
      },
      rule: async (context, { input: { currency = '', amount = 0 } }) => {
        const { [currency]: _, ...others } = await refundLimits(context)
        return done(keepRefundLimits(context, amount > 0 ? { ...others, [currency]: amount } : others))
      },
    }),
  ],
})
