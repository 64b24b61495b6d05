import { cut } from '../../contract/values/values.ts'
import type { ProgramAnswer } from './provider.ts'

/** Rows of a kind of change that a question names; the plan has them all. */
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

/** Changes of one event type, as a dry run's answer has them. */
interface Change {
  count?: number
  samples?: { id?: string; name?: unknown }[]
}

/** `changes` are those of a dry run's answer, by event type. */
export function questionOf(plan: string, changes: unknown): string {
  const counted = Object.entries((changes ?? {}) as Record<string, Change>)
  const all = counted.map(([type, change]) => changeInWords(type, change)).join(', ')
  return `Apply the plan ${plan}? It makes these changes: ${all}. Set status to running to apply it, or to canceled to reject it.`
}

/** How many changes there are of one type, and the names of the first rows, so that the plan can be judged. */
function changeInWords(type: string, { count = 1, samples = [] }: Change): string {
  const names = samples
    .slice(0, NAMED_ROWS)
    .flatMap(({ id, name }) => (typeof name === 'string' && name !== '' ? [cut(name, MAX_NAME)] : (id ?? [])))
  if (names.length === 0) return `${count} ${type}`
  return `${count} ${type} (${names.join(', ')}${count > names.length ? ', …' : ''})`
}
