import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { Order } from './order.ts'

export function deriveOrders(rows: Row<typeof Order>[], context: Context): Derived[] {
  return rows.map((order) => ({ test: isTest(context, order) }))
}

/** Whether no real money was paid for an order. */
export function isTest({ test }: Pick<Context, 'test'>, { processor, simulated }: Row<typeof Order>): boolean {
  return test || simulated || processor === 'test'
}
