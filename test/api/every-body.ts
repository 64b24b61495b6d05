import { beforeAll } from 'vitest'
import type { Field } from '../../src/contract/declarations/field.ts'
import { inputName } from '../../src/contract/declarations/noun.ts'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { DEEP } from '../support/depth.ts'
import type { Shop } from '../support/shop.ts'
import { bodyOf, type Ids, pathOf, prepare, stock, stockFor } from '../support/stock.ts'

export type AnyOperation = Operation<never>

let turn = 0
/** All of them in the deep suite; in the gate each third for one field, and the others for the next ones. */
export function turns<Value>(values: Value[]): Value[] {
  turn++
  return values.filter((_, index) => DEEP || (index + turn) % 3 === 0)
}

/** What the suites do with the bodies of every operation of a shop. */
export function bodiesOf(shop: Shop) {
  let ids: Ids
  const writes = () => shop.operations.filter((one) => one.writes && one.method !== 'DELETE')
  const send = (operation: AnyOperation, body: unknown, raw?: string | Uint8Array) =>
    shop.api(operation.method, pathOf(operation as never, ids), body, raw === undefined ? {} : { raw })
  const working = (operation: AnyOperation) => bodyOf(shop, operation as never, ids)!

  beforeAll(async () => {
    ids = await stock(shop)
  })

  /** What an operation has done once it may be unable to do again. */
  async function renew(operation: { id: string; kind: string }) {
    if (operation.kind === 'action' || ['create_refund', 'update_task_run'].includes(operation.id))
      ids = { ...ids, ...(await stockFor(shop, operation as never)) }
    else await prepare(shop, operation as never, ids)
  }

  /** Calls back with every field of every body. */
  async function eachField(visit: (operation: AnyOperation, input: string, field: Field) => Promise<void>) {
    for (const operation of writes()) {
      for (const [name, field] of Object.entries(operation.body ?? {})) {
        await visit(operation as never, inputName(name, field), field)
      }
    }
  }
  return { writes, send, working, renew, eachField, ids: () => ids }
}
