import { dashboardRead } from '../../../records/dashboard-read.ts'
import { refundLimits } from '../../company/account/refund-limits.ts'

/** Lists what people with the role support may refund on one order, all of them together, by currency. */
export const refundLimitsOfSupport = dashboardRead('sales.refund', async (context) => {
  const limits = Object.entries(await refundLimits(context)).map(([currency, amount]) => ({ currency, amount }))
  return limits.toSorted((one, other) => one.currency.localeCompare(other.currency))
})
