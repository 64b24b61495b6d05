import type { BackgroundRow } from './row.ts'

/** What says how one ended; all else of it never changes. */
const ENDING = [
  'state',
  'place',
  'left_out_count',
  'batch_size',
  'batches_count',
  'changes',
  'last_value',
  'value_sum',
  'error_type',
  'error',
  'error_line',
  'error_hint',
  'finished_at',
  'updated_at',
] as const satisfies (keyof BackgroundRow)[]

type FirstEnd = Pick<BackgroundRow, (typeof ENDING)[number]>

/** How it ended for the first time, also where it has been let go on since; null where it has not ended yet. */
export function atFirstEnd(row: BackgroundRow): FirstEnd | null {
  if (row.first_end !== null) return JSON.parse(row.first_end)
  return ['done', 'failed', 'stopped'].includes(row.state) ? row : null
}

/** What is kept of one that ended, when it goes on. */
export function keptEnd(row: BackgroundRow): string | null {
  const end = atFirstEnd(row)
  return end && JSON.stringify(Object.fromEntries(ENDING.map((name) => [name, end[name]])))
}
