import type { BackgroundRow } from './row.ts'

const END_COLUMNS = [
  'state',
  'place',
  'left_out_count',
  'batch_size',
  'batches_count',
  'changes',
  'last_value',
  'value_sum',
  'value_sums',
  'error_type',
  'error',
  'error_line',
  'error_hint',
  'finished_at',
  'updated_at',
] as const satisfies (keyof BackgroundRow)[]

type FirstEnd = Pick<BackgroundRow, (typeof END_COLUMNS)[number]>

/** Returns a background program as it was when it first ended, even if it was resumed since; null if it has not ended yet. */
export function atFirstEnd(row: BackgroundRow): FirstEnd | null {
  if (row.first_end !== null) return JSON.parse(row.first_end)
  return ['done', 'failed', 'stopped'].includes(row.state) ? row : null
}

export function keptEnd(row: BackgroundRow): string | null {
  const end = atFirstEnd(row)
  return end && JSON.stringify(Object.fromEntries(END_COLUMNS.map((name) => [name, end[name]])))
}
