import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { LogEntry } from './log_entry.ts'
import { deriveNames } from './show.ts'

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
