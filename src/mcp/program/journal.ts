import type { OperationAnswer } from '../../pipeline/request.ts'
import type { Json } from '../../sandbox/door.ts'
import { shorten } from '../answer/shorten.ts'
import type { ProgramRequest } from './request-path.ts'

/** One call of a program, as its answer and the log of runs show it. */
export type CallRecord = {
  method: string
  path: string
  /** HTTP status; null when the program ended before the call was answered. */
  status: number | null
  id: string | null
  /** The message of a refused call. */
  error?: string
  /** What a write answered for the fields that the program sent. */
  changed?: Json
}

/** Calls that are kept, the last ones: for the log of runs and for a dry run. */
const KEPT_CALLS = 50
/** Calls that a failure shows: enough to see how it came about. */
const SHOWN_CALLS = 20
/** A path can be as long as the program likes. */
const SHOWN_PATH = 300
const SHOWN_MESSAGE = 500
const SHOWN_CHANGES_BYTES = 1_000

/** The calls of one run, in order, kept outside the sandbox so that they survive a killed program. */
export class Journal {
  readonly #calls: CallRecord[] = []
  #count = 0

  /** Notes a call before it runs. */
  begin(request: ProgramRequest): CallRecord {
    const record = { method: request.method, path: request.path.slice(0, SHOWN_PATH), status: null, id: null }
    this.#calls.push(record)
    this.#count += 1
    if (this.#calls.length > KEPT_CALLS) this.#calls.shift()
    return record
  }

  get count(): number {
    return this.#count
  }

  get calls(): CallRecord[] {
    return this.#calls
  }

  /** `calls` without what they changed, and `calls_left_out` when there were more than are kept. */
  shown(): { [key: string]: Json } {
    const last = this.#calls.slice(-SHOWN_CALLS)
    return { calls: last.map(({ changed: _, ...call }) => call), ...this.#leftOut(last) }
  }

  /** The same of the calls that write, with what they changed. */
  shownChanges(): { [key: string]: Json } {
    return { calls: this.#calls.filter((call) => call.method !== 'GET'), ...this.#leftOut(this.#calls) }
  }

  #leftOut(shown: CallRecord[]): { calls_left_out?: number } {
    const leftOut = this.#count - shown.length
    return leftOut > 0 ? { calls_left_out: leftOut } : {}
  }
}

/** Notes what came of a call. */
export function noteAnswer(
  record: CallRecord,
  request: ProgramRequest,
  answer: Pick<OperationAnswer, 'status' | 'body'>,
): void {
  record.status = answer.status
  if (answer.status >= 400) record.error = messageOf(answer.body).slice(0, SHOWN_MESSAGE)
  else {
    if (typeof answer.body.id === 'string') record.id = answer.body.id
    if (request.method !== 'GET') record.changed = shorten(changedFields(request, answer.body), SHOWN_CHANGES_BYTES)
  }
}

/** The message of an error body. */
export function messageOf(body: Record<string, unknown>): string {
  const error = body.error as { message?: unknown } | undefined
  return typeof error?.message === 'string' ? error.message : 'refused'
}

function changedFields(request: ProgramRequest, body: Record<string, unknown>): Json {
  if (body.deleted === true) return { deleted: true }
  const sent = Object.keys((request.body ?? {}) as object).filter((name) => body[name] !== undefined)
  const shown = sent.length > 0 ? sent : ['status', 'slug'].filter((name) => body[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, body[name] as Json]))
}
