import { createHash } from 'node:crypto'
import type { OperationAnswer } from '../../pipeline/request.ts'
import type { ProgramRequest } from './request-path.ts'

/** Remembers what a program's calls outside answered, so that running the program again does not repeat them. */
export class OutsideMemory {
  readonly #answers = new Map<string, OperationAnswer[]>()
  #taken = new Map<string, number>()

  /** A new run of the program begins. */
  rewind(): void {
    this.#taken = new Map()
  }

  /** The answer that an earlier run got to the same call, the second one to its second repetition; undefined when none did. */
  recall(request: ProgramRequest): OperationAnswer | undefined {
    if (this.#answers.size === 0) return undefined
    const key = keyOf(request)
    const known = this.#answers.get(key)?.[this.#taken.get(key) ?? 0]
    if (known) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
    return known
  }

  keep(request: ProgramRequest, answer: OperationAnswer): void {
    const key = keyOf(request)
    const answers = this.#answers.get(key) ?? []
    this.#answers.set(key, [...answers, answer])
    this.#taken.set(key, answers.length + 1)
  }
}

function keyOf({ method, path, query, body }: ProgramRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, query, body ?? null]))
    .digest('base64')
}
