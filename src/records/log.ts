import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { newId } from '../contract/values/ids.ts'
import { timestampOf } from '../contract/values/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Db } from '../resources/tables.ts'

/** An entry of the account's log, without its author and time. */
export interface LogLine {
  kind: 'operation' | 'program' | 'job'
  operation?: string
  resource?: string | null
  /** Names of the fields in the request, never their values. */
  fields?: readonly string[]
  changes?: Readonly<Record<string, number>>
  /** The id of the plan that was applied; `approver` is the person who applied it. */
  plan?: string | null
  approver?: string | null
}

/** The maximum number of field names that are stored. No request has more fields. */
const MOST_FIELDS = 50

export async function writeLog(db: Db, caller: Caller, line: LogLine): Promise<void> {
  await insertOne(db, 'log_entries', {
    account_id: caller.accountId,
    id: newId('log'),
    kind: line.kind,
    operation: line.operation ?? null,
    resource_id: line.resource?.slice(0, 200) ?? null,
    fields: JSON.stringify((line.fields ?? []).slice(0, MOST_FIELDS)),
    changes: JSON.stringify(line.changes ?? {}),
    user_id: isUser(caller) ? caller.userId : null,
    caller_kind: caller.kind,
    caller_id: callerId(caller),
    approver_id: line.approver ?? null,
    plan: line.plan ?? null,
    task_run: caller.origin?.run ?? null,
    created_at: timestampOf(new Date()),
  })
}

export function countsOf(changes: readonly { type: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of changes) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
