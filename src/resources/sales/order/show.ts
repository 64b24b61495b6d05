import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { OrderRow } from './order.ts'

export function deriveOrders(rows: OrderRow[], context: Context): Derived[] {
  return rows.map((order) => ({ test: isTest(context, order) }))
}

export function isTest({ test }: Pick<Context, 'test'>, { processor, simulated }: OrderRow): boolean {
  return test || simulated || processor === 'test'
}
