import { oneOf } from '../contract/declarations/kinds.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import type { Context } from '../records/context.ts'

export function sortable(operation: Operation<Context>): Operation<Context> {
  const [first, ...others] = operation.sorts
  if (first === undefined) return operation
  return { ...operation, query: { ...operation.query, sort: oneOf([first, ...others], 'What it is sorted by') } }
}
