import type { Kysely } from 'kysely'
import { type Caller, isUser } from '../contract/declarations/caller.ts'
import type { Change } from '../events/change.ts'
import { countsOf, type LogLine, writeLog } from '../records/log.ts'
import type { Tables } from '../resources/tables.ts'
import type { OperationRequest } from './request.ts'
import type { Route } from './route.ts'

interface OperationCall {
  request: Pick<OperationRequest, 'caller' | 'scope' | 'program'>
  route: Pick<Route, 'operation'>
}

interface OperationResult {
  body: Record<string, unknown>
  changes: readonly Change[]
  fields: readonly string[]
}

/** Returns whether an operation has its own log entry. A program's calls in one transaction share one; dry runs have none. */
export function isLogged({ request: { caller, scope, program }, route: { operation } }: OperationCall): boolean {
  return operation.writes && !program?.proposed && isUser(caller) && !scope?.together
}

export function lineOf({ route: { operation } }: OperationCall, { body, changes, fields }: OperationResult): LogLine {
  const resource = typeof body.id === 'string' ? body.id : null
  return { kind: 'operation', operation: operation.id, resource, fields, changes: countsOf(changes) }
}

/** Emails and webhook deliveries are not logged, because they have their own lists. */
const UNLOGGED_EVENTS = ['email.', 'webhook_endpoint.']
/** A buyer's payment is not logged, because the list of orders shows it. */
const SALE_EVENT = 'order.paid'

/** Logs the changes of an external operation, a job or a provider's webhook. Changes by buyers and visitors are not logged. */
export async function logPart(
  db: Kysely<Tables>,
  caller: Caller,
  operation: string | undefined,
  all: readonly Change[],
): Promise<void> {
  const changes = all.filter(({ type }) => !UNLOGGED_EVENTS.some((quiet) => type.startsWith(quiet)))
  const [first] = changes
  if (!first) return
  const [kind, line] = [isUser(caller) ? 'operation' : 'job', { changes: countsOf(changes) }] as const
  const resource = changes.every(({ id }) => id === first.id) ? first.id : null
  if (isUser(caller)) {
    if (operation !== undefined) await writeLog(db, caller, { ...line, kind, operation, resource })
    return
  }
  const isService = caller.kind === 'job' || caller.kind === 'provider'
  if (isService && !changes.some(({ type }) => type === SALE_EVENT))
    await writeLog(db, caller, { ...line, kind, resource })
}
