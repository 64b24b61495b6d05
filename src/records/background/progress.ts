import type { Caller } from '../../contract/declarations/caller.ts'
import type { Json } from '../../contract/values/json.ts'
import { currentTimestamp, laterBy } from '../../contract/values/values.ts'
import { seesValues } from '../program-sight.ts'
import type { BackgroundRow } from './row.ts'

/**
 * Returns the progress of a background program for the agent that wrote it: `rows` is the length of the list at the start, `done` counts
 * the rows passed to a block, and `left_out` those deleted before their batch. Empty values are omitted.
 */
export function progressOf(row: BackgroundRow): { [name: string]: Json } {
  const end = expectedEnd(row)
  return {
    background: row.id,
    state: row.state,
    rows: row.rows_count,
    done: row.place - row.left_out_count,
    ...(row.left_out_count > 0 && { left_out: row.left_out_count }),
    batches: row.batches_count,
    batches_left: Math.ceil((row.rows_count - row.place) / row.batch_size),
    changed: JSON.parse(row.changes),
    ...(row.last_value !== null && { last_value: JSON.parse(row.last_value) }),
    ...(row.value_sum !== null && { sum: row.value_sum }),
    ...(row.value_sums !== null && { sum: JSON.parse(row.value_sums) }),
    ...(row.plan !== null && { plan: row.plan }),
    ...(row.asked_operations !== null && { asks_for: JSON.parse(row.asked_operations) }),
    ...(row.next_at !== null && { waits_until: row.next_at }),
    ...(row.started_at !== null && { started_at: row.started_at }),
    ...(row.finished_at !== null && { finished_at: row.finished_at }),
    ...(end !== null && { expected_end_at: end }),
    ...(row.error !== null && { error: errorOf(row) }),
  }
}

/** Returns the progress, without the blocks' return values if the caller lacks rights that the program had when it began. */
export function progressFor(caller: Caller, row: BackgroundRow): { [name: string]: Json } {
  return progressOf(seesValues(caller, row) ? row : { ...row, ...NO_VALUES })
}

export const NO_VALUES = { last_value: null, value_sum: null, value_sums: null }

function errorOf({ error_type, error, error_line, error_hint }: BackgroundRow): Json {
  return { type: error_type ?? '', message: error ?? '', line: error_line, hint: error_hint }
}

/**
 * Estimates the time of the end from the pace since the first batch, whose own duration is unknown. Returns null if the program
 * is neither queued nor running, or has done fewer than two batches.
 */
export function expectedEnd(
  row: Pick<BackgroundRow, 'state' | 'started_at' | 'updated_at' | 'batches_count' | 'place' | 'rows_count'>,
  now = currentTimestamp(),
): string | null {
  const { state, started_at, updated_at, batches_count, place, rows_count } = row
  if ((state !== 'running' && state !== 'queued') || started_at === null || batches_count < 2) return null
  const tookMs = Date.parse(updated_at) - Date.parse(started_at)
  const measuredRows = (place * (batches_count - 1)) / batches_count
  return laterBy(now, Math.round((tookMs / measuredRows) * (rows_count - place)))
}
