import { hasServiceKeys } from '../resources/sales/payment/connection/current.ts'
import type { Core } from './core.ts'

/** The maximum number of accounts that the warning names. */
const MOST_NAMED = 20

/** Warns about accounts that still take payments with the service's keys, because the operator gets their money. */
export async function warnOfKeptKeys({ database, services, log }: Core): Promise<void> {
  if (!hasServiceKeys({ services })) return
  const live = database.read.selectFrom('accounts').where('test', '=', 0)
  const [kept, some] = await Promise.all([
    live.where('charges_by_service', '=', 1).select(['id', 'subdomain']).limit(MOST_NAMED).execute(),
    live.select('id').limit(2).execute(),
  ])
  const others = kept.filter(({ id }) => id !== services.operatorAccount)
  if (others.length === 0 || (services.operatorAccount === null && some.length === 1)) return
  log.warn(
    { accounts: others.map(({ subdomain }) => subdomain) },
    'These accounts take payments by the keys of the service, so the operator gets their money until they connect a payment provider',
  )
}
