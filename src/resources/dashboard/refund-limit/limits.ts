import { dashboardRead } from '../../../records/dashboard-read.ts'
import { refundLimits } from '../../company/account/refund-limits.ts'

/** Lists the most that all people with the role support together may refund on one order, by currency. */
export const refundLimitsOfSupport = dashboardRead('sales.refund', async (context) => {
  const limits = Object.entries(await refundLimits(context)).map(([currency, amount]) => ({ currency, amount }))
  return limits.toSorted((one, other) => one.currency.localeCompare(other.currency))
})
