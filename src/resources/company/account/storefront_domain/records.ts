import { isIP } from 'node:net'
import type { Context } from '../../../../records/context.ts'
import { recordOf } from '../../../content/domain_names.ts'

/** The records that the domain of a shop must have: one proves whose it is, the other leads it here. */
export function domainRecordsOf(
  context: Pick<Context, 'services' | 'publicUrl'>,
  account: { id: string; storefront_domain: string | null },
) {
  const { id, storefront_domain: domain } = account
  if (domain === null) return []
  const { hostname: here } = new URL(context.publicUrl)
  // An operator may have no name for the service, only its address.
  const way = isIP(here) === 0 ? [{ type: 'CNAME' as const, name: domain, value: here }] : []
  return [recordOf(context, 'shop', { id, domain }), ...way]
}
