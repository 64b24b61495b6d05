import { expect, it } from 'vitest'
import { type Attempt, dropBatch } from '../../../src/mcp/background/next-step.ts'
import type { RunError } from '../../../src/mcp/program/run-error.ts'

const attempt = (rows: number, more: { waitSeconds?: number; paid?: number; metLimit?: boolean } = {}): Attempt => {
  const { waitSeconds = null, paid = 0, metLimit = false } = more
  const row = { batch_size: rows, rows_count: 1_000, place: 0 }
  return { row, budget: { waitSeconds, paid }, metLimit } as unknown as Attempt
}
const error = (type: RunError['type']): RunError => ({ type, message: '', line: null, source: null, hint: null })

it('halves a batch that was too large, whatever it was too large for', () => {
  for (const type of ['deadline_exceeded', 'memory_limit', 'call_limit', 'writer_held_too_long', 'conflict'] as const)
    for (const [rows, half] of [
      [100, 50],
      [5, 3],
      [2, 1],
    ] as const)
      expect(dropBatch(attempt(rows), error(type), [])).toEqual({ kind: 'again', afterMs: 0, size: half, paid: 0 })
})

it('counts a batch of one row as failed, and one that no smaller batch would mend', () => {
  expect(dropBatch(attempt(1), error('deadline_exceeded'), [])).toEqual({ kind: 'failed' })
  for (const type of ['ruby_error', 'refused', 'refusal_overlooked', 'invalid_result'] as const)
    expect(dropBatch(attempt(100), error(type), [])).toEqual({ kind: 'failed' })
})

it('waits for its budget with what it has paid, and for what passes by itself, with as many rows', () => {
  const waiting = attempt(100, { waitSeconds: 3, paid: 40 })
  expect(dropBatch(waiting, error('canceled'), [])).toEqual({ kind: 'again', afterMs: 3_000, size: 100, paid: 40 })
  const passing = dropBatch(attempt(100), error('busy'), [])
  expect(passing).toMatchObject({ kind: 'again', size: 100 })
  expect(passing).not.toMatchObject({ afterMs: 0 })
})

it('asks where nobody approved what it did, and ends where it was stopped', () => {
  expect(dropBatch(attempt(100), error('refused'), ['POST /refunds'])).toEqual({ kind: 'approval' })
  expect(dropBatch(attempt(100), error('canceled'), [])).toEqual({ kind: 'ended' })
})
