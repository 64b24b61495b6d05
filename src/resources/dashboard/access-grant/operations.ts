import { text } from '../../../contract/declarations/kinds.ts'
import { type AnswerOf, exampleId } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { type CustomPage, customList } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { AccessGrant } from './access-grant.ts'

const MOST_SHOWN = 100

type Grant = AnswerOf<typeof AccessGrant>

export const accessGrants = resource(AccessGrant, {
  dashboard: [
    customList({
      id: 'list_access_grants',
      method: 'GET',
      path: '/access_grants',
      summary: 'List what a customer has access to',
      answers: AccessGrant,
      query: { customer: text('Id of the customer', { max: 200, example: exampleId('cus') }).required() },
      rule: (context, { query }) => accessOfCustomer(context, query.customer),
    }),
  ],
})

/** Lists a customer's present and past access to products, present access first. */
async function accessOfCustomer(context: Context, customerId: string): Promise<CustomPage<Grant>> {
  const { id } = await requireRow(context, Customer, customerId, 'customer')
  const grants = rowsOf(context, 'access_grants').selectAll().where('customer', '=', id).orderBy('id', 'desc')
  const found = await grants.limit(MOST_SHOWN + 1).execute()
  const names = await namesOf(context, [...new Set(found.map(({ product }) => product))])
  const rows = found.slice(0, MOST_SHOWN).map(
    ({ order_id: order, ...grant }): Grant => ({
      ...grant,
      order,
      product_name: names.get(grant.product) ?? '',
      status: grant.ends_at === null || grant.ends_at > context.now ? 'active' : 'ended',
    }),
  )
  const lastingFirst = rows.toSorted((one, other) => Number(one.status === 'ended') - Number(other.status === 'ended'))
  return { rows: lastingFirst, hasMore: found.length > MOST_SHOWN }
}

async function namesOf(context: Context, products: string[]): Promise<Map<string, string>> {
  if (products.length === 0) return new Map()
  const rows = await rowsOf(context, 'products').select(['id', 'name']).where('id', 'in', products).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
