import { cut } from '../../contract/values/values.ts'
import type { ProgramAnswer } from './provider.ts'

/** The maximum number of rows that a question lists for each event type; the plan lists all rows. */
const NAMED_ROWS = 5
const MAX_NAME = 60

export type ProgramFailure = {
  type: string
  message: string
  line: number | null
  hint: string | null
}

export function errorOf(answer: ProgramAnswer | null): ProgramFailure | null {
  return answer?.isError ? (answer.body.error as ProgramFailure) : null
}

interface PlannedChange {
  count?: number
  samples?: { id?: string; name?: unknown }[]
}

/** Asks whether to apply a plan. `changes` are the dry run's changes by event type. */
export function questionOf(plan: string, changes: unknown): string {
  const counted = Object.entries((changes ?? {}) as Record<string, PlannedChange>)
  const all = counted.map(([type, change]) => changeInWords(type, change)).join(', ')
  return `Apply the plan ${plan}? It makes these changes: ${all}. Set status to running to apply it, or to canceled to reject it.`
}

/** Names the first rows, so that a person can judge the plan. */
function changeInWords(type: string, { count = 1, samples = [] }: PlannedChange): string {
  const names = samples
    .slice(0, NAMED_ROWS)
    .flatMap(({ id, name }) => (typeof name === 'string' && name !== '' ? [cut(name, MAX_NAME)] : (id ?? [])))
  if (names.length === 0) return `${count} ${type}`
  return `${count} ${type} (${names.join(', ')}${count > names.length ? ', …' : ''})`
}
