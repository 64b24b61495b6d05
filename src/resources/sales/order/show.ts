import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { Order } from './order.ts'

export function deriveOrders(rows: Row<typeof Order>[], { test }: Context): Derived[] {
  return rows.map(({ processor, simulated }) => ({ test: test || simulated || processor === 'test' }))
}
