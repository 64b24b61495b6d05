import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { namesOf } from '../../company/user/names.ts'
import { programNames } from '../callers.ts'
import type { LogEntry } from './log_entry.ts'

/** The names of those who acted, and of those who approved it. */
export async function deriveNames(rows: Row<typeof LogEntry>[], context: Context): Promise<Derived[]> {
  const callers = await programNames(
    context,
    rows.map(({ caller_id }) => caller_id),
  )
  const people = await namesOf(
    context,
    rows.flatMap(({ user_id, approver_id }) => [user_id, approver_id].filter((id) => id !== null)),
  )
  const nameOf = (id: string | null) => people.get(id ?? '')?.name ?? null
  return rows.map(({ user_id, approver_id, caller_id }) => ({
    user_name: nameOf(user_id),
    approver_name: nameOf(approver_id),
    caller_name: callers.get(caller_id) ?? null,
  }))
}
