import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { namesOf } from '../../company/user/names.ts'
import { programNames } from '../callers.ts'
import { LogEntry } from './log-entry.ts'

const { list, retrieve } = verbs(LogEntry)

export const logEntries = resource(LogEntry, {
  derive: deriveNames,
  dashboard: [
    list({
      summary: 'List who changed what',
      filters: {
        kind: equals(LogEntry, 'kind'),
        user_id: equals(LogEntry, 'user_id', 'Only what this person did'),
        caller_id: equals(LogEntry, 'caller_id', 'Only what this token or connection did'),
        operation: equals(LogEntry, 'operation'),
        resource_id: equals(LogEntry, 'resource_id', 'Only changes of the resource with this id'),
        plan: equals(LogEntry, 'plan'),
      },
    }),
    retrieve({ summary: 'Show one entry of the log' }),
  ],
})

async function deriveNames(rows: Row<typeof LogEntry>[], context: Context): Promise<Derived[]> {
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
