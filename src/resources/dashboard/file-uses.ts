import { dashboardRead } from '../../records/dashboard-read.ts'
import { requireRow } from '../../records/records.ts'
import { File } from '../content/file/file.ts'
import { usesOf } from '../content/file/uses.ts'

/** The maximum number of uses shown per column that refers to files. Nobody would edit more of them by hand. */
const MOST_USES = 20

/** Shows resources that use a file, among the newest 2,000 of each kind, and whether they prevent its deletion. */
export const fileUses = dashboardRead('content.read', async (context, id: string) => {
  const file = await requireRow(context, File, id)
  return usesOf(context, file.id, MOST_USES)
})
