import type { Kysely } from 'kysely'
import { type Caller, isUser } from '../contract/declarations/caller.ts'
import type { Change } from '../events/change.ts'
import { countsOf, type LogLine, writeLog } from '../records/log.ts'
import type { Tables } from '../resources/tables.ts'
import type { OperationRequest } from './request.ts'
import type { Route } from './route.ts'

/** A call of an operation. */
interface Call {
  request: Pick<OperationRequest, 'caller' | 'scope' | 'proposed'>
  route: Pick<Route, 'operation'>
}

/** What came of an operation. */
interface Did {
  body: Record<string, unknown>
  changes: readonly Change[]
  fields: readonly string[]
}

/**
 * Whether an operation has an entry of its own: what people and agents change does. The calls of a program that is one
 * transaction have one entry together, and what is undone in any case has none.
 */
export function isLogged({ request: { caller, scope, proposed }, route: { operation } }: Call): boolean {
  return operation.writes && !proposed && isUser(caller) && !scope?.together
}

export function lineOf({ route: { operation } }: Call, { body, changes, fields }: Did): LogLine {
  const resource = typeof body.id === 'string' ? body.id : null
  return { kind: 'operation', operation: operation.id, resource, fields, changes: countsOf(changes) }
}

/** Letters and deliveries have lists of their own. */
const QUIET = ['email.', 'webhook_endpoint.']
/** What a buyer's payment brings about is in the list of orders. */
const OF_A_SALE = 'order.paid'

/** Notes what an outside operation, a job or the notice of a provider has changed. Buyers and visitors are in lists of their own. */
export async function logPart(
  db: Kysely<Tables>,
  caller: Caller,
  operation: string | undefined,
  all: readonly Change[],
): Promise<void> {
  const changes = all.filter(({ type }) => !QUIET.some((quiet) => type.startsWith(quiet)))
  const [first] = changes
  if (!first) return
  const [kind, line] = [isUser(caller) ? 'operation' : 'job', { changes: countsOf(changes) }] as const
  const resource = changes.every(({ id }) => id === first.id) ? first.id : null
  if (isUser(caller)) {
    if (operation !== undefined) await writeLog(db, caller, { ...line, kind, operation, resource })
    return
  }
  const isService = caller.kind === 'job' || caller.kind === 'provider'
  if (isService && !changes.some(({ type }) => type === OF_A_SALE))
    await writeLog(db, caller, { ...line, kind, resource })
}
