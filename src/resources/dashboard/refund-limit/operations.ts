import { currency, money } from '../../../contract/declarations/kinds.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { keepRefundLimits, refundLimits } from '../../company/account/refund-limits.ts'
import { RefundLimit } from './refund-limit.ts'

export const refundLimitsOfSupport = resource(RefundLimit, {
  dashboard: [
    customList({
      id: 'list_refund_limits',
      right: 'sales.refund',
      method: 'GET',
      path: '/refund_limits',
      summary: 'List what support may refund, by currency',
      answers: RefundLimit,
      rule: async (context) => {
        const limits = Object.entries(await refundLimits(context)).toSorted(([one], [other]) =>
          one.localeCompare(other),
        )
        return { rows: limits.map(([currency, amount]) => ({ currency, amount })), hasMore: false }
      },
    }),
    custom({
      id: 'set_refund_limit',
      method: 'PATCH',
      path: '/refund_limits',
      summary: 'Set what support may refund on one order in a currency; 0 for nothing',
      answers: RefundLimit,
      inTurn: true,
      body: {
        currency: currency('Currency of the orders').required(),
        amount: money('The most that they refund on one order', { min: 0, example: 5000 }).required(),
      },
      rule: async (context, { input: { currency = '', amount = 0 } }) => {
        const { [currency]: _, ...others } = await refundLimits(context)
        await keepRefundLimits(context, amount > 0 ? { ...others, [currency]: amount } : others)
        return { currency, amount }
      },
    }),
  ],
})
