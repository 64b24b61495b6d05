import type { Context } from '../../records/context.ts'
import { dashboardRead } from '../../records/dashboard-read.ts'
import { requireRow } from '../../records/records.ts'
import { rowsOf } from '../../records/rows-of.ts'
import { Customer } from '../audience/customer/customer.ts'

const MOST_SHOWN = 100

/** Lists a customer's newest access to products, at most 100: present access first, then past access, each newest first. */
export const accessGrants = dashboardRead('sales.read', async (context, customer: string) => {
  const { id } = await requireRow(context, Customer, customer)
  const grants = rowsOf(context, 'access_grants').selectAll().where('customer', '=', id).orderBy('id', 'desc')
  const found = await grants.limit(MOST_SHOWN).execute()
  const names = await namesOf(context, [...new Set(found.map(({ product }) => product))])
  const rows = found.map((grant) => ({
    ...grant,
    product_name: names.get(grant.product) ?? '',
    status: grant.ends_at === null || grant.ends_at > context.now ? ('active' as const) : ('ended' as const),
  }))
  return rows.toSorted((one, other) => Number(one.status === 'ended') - Number(other.status === 'ended'))
})

async function namesOf(context: Context, products: string[]): Promise<Map<string, string>> {
  if (products.length === 0) return new Map()
  const rows = await rowsOf(context, 'products').select(['id', 'name']).where('id', 'in', products).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
