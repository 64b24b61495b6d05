import { createHash } from 'node:crypto'
import type { OperationAnswer } from '../../pipeline/request.ts'
import type { ProgramRequest } from './request-path.ts'

/** Remembers the responses to calls with effects outside the database, so that repeating a program does not repeat these effects. */
export class OutsideMemory {
  readonly #answers = new Map<string, OperationAnswer[]>()
  #taken = new Map<string, number>()

  rewind(): void {
    this.#taken = new Map()
  }

  /** Returns the response to the same call in an earlier run, or undefined. Repeated calls are matched in their order. */
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
