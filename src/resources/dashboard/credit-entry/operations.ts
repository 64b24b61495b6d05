import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { CreditEntry } from './credit-entry.ts'

const { list } = verbs(CreditEntry)

export const creditEntries = resource(CreditEntry, {
  dashboard: [
    list({ summary: 'List what credits came from and were spent on', filters: { kind: equals(CreditEntry, 'kind') } }),
  ],
})
