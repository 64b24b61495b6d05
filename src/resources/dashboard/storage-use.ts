import { dashboardRead } from '../../records/dashboard-read.ts'
import { rowsOf } from '../../records/rows-of.ts'

/** Shows how much storage the account uses: a new measurement if that is quick enough for a page, otherwise the last one. */
export const storageUse = dashboardRead('account.read', async (context) => {
  const { storage } = context.services
  await storage.refresh(context.accountId)
  const rows = await rowsOf(context, 'storage_usage').selectAll().orderBy('bytes', 'desc').execute()
  return {
    limit_bytes: storage.limitBytes,
    outsider_bytes: Math.floor(storage.outsiderBytes),
    used_bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    measured_at: rows[0]?.measured_at ?? null,
    kinds: rows
      .filter(({ table_name }) => table_name !== '')
      .map(({ table_name: kind, bytes, row_count }) => ({ kind, bytes, rows: row_count })),
  }
})
