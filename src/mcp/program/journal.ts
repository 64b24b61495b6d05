import type { OperationAnswer } from '../../pipeline/request.ts'
import type { Json } from '../../sandbox/api.ts'
import type { ProgramRequest } from './request-path.ts'

export type CallRecord = {
  method: string
  path: string
  /** The HTTP status; null if the program ended before the call was answered. */
  status: number | null
  id: string | null
  error?: string
  duration_ms?: number
}

interface CallGroup {
  /** The operation, for example `PATCH /products/{id_or_slug}`, or an unknown path as the program wrote it. */
  operation: string
  status: number | null
  count: number
  samples: CallRecord[]
}

/** The maximum number of calls in the stored record of a run; the oldest are dropped. */
const KEPT_CALLS = 50
/** The maximum number of groups in a response, and of samples in each group. */
const SHOWN_GROUPS = 20
const SAMPLES = 3
/** Programs can call paths of any length. */
const SHOWN_PATH = 300
const SHOWN_MESSAGE = 500

/** Records the calls of one run, outside of the sandbox, so the record survives when the program is killed. */
export class Journal {
  readonly #calls: CallRecord[] = []
  readonly #groups = new Map<string, CallGroup>()
  readonly #underWay = new Map<CallRecord, { operation: string; begun: number }>()
  #count = 0

  begin({ method, path }: Pick<ProgramRequest, 'method' | 'path'>): CallRecord {
    const record: CallRecord = { method, path: path.slice(0, SHOWN_PATH), status: null, id: null }
    this.#calls.push(record)
    this.#underWay.set(record, { operation: `${method} ${record.path}`, begun: performance.now() })
    this.#count += 1
    if (this.#calls.length > KEPT_CALLS) this.#calls.shift()
    return record
  }

  end(record: CallRecord, { status, body, operation }: Pick<OperationAnswer, 'status' | 'body' | 'operation'>): void {
    record.status = status
    if (status >= 400) record.error = messageOf(body).slice(0, SHOWN_MESSAGE)
    else if (typeof body.id === 'string') record.id = body.id
    record.duration_ms = Math.round(performance.now() - this.#underWay.get(record)!.begun)
    this.#underWay.delete(record)
    this.#group(record, operation ?? `${record.method} ${record.path}`)
  }

  get count(): number {
    return this.#count
  }

  get calls(): CallRecord[] {
    return this.#calls
  }

  /** Groups all calls but successful reads by operation. With `besidesChanges`, successful calls have no samples. */
  shown({ besidesChanges = false } = {}): { calls: Json; calls_left_out?: number } {
    const unanswered = [...this.#underWay].map(([record, { operation }]) => groupOf(operation, record))
    const groups = [...this.#groups.values(), ...unanswered].filter(isListed)
    const shown = groups.slice(0, SHOWN_GROUPS)
    const leftOut = groups.slice(SHOWN_GROUPS).reduce((sum, { count }) => sum + count, 0)
    const calls = shown.map((group) => asJson(group, besidesChanges && group.status !== null && group.status < 400))
    return { calls, ...(leftOut > 0 && { calls_left_out: leftOut }) }
  }

  #group(record: CallRecord, operation: string): void {
    const key = `${record.status} ${operation}`
    const group = this.#groups.get(key)
    if (!group) this.#groups.set(key, groupOf(operation, record))
    else {
      group.count += 1
      if (group.samples.length < SAMPLES) group.samples.push(record)
    }
  }
}

function groupOf(operation: string, record: CallRecord): CallGroup {
  return { operation, status: record.status, count: 1, samples: [record] }
}

/** Leaves out successful reads: they changed nothing, and a program may make hundreds of them. */
function isListed({ operation, status }: CallGroup): boolean {
  return status === null || status >= 400 || !operation.startsWith('GET ')
}

function asJson({ operation, status, count, samples }: CallGroup, countsOnly: boolean): Json {
  if (countsOnly) return { operation, status, count }
  const shown = samples.map(({ path, id, error }) => ({ path, ...(id !== null && { id }), ...(error && { error }) }))
  return { operation, status, count, samples: shown }
}

export function messageOf(body: Record<string, unknown>): string {
  const error = body.error as { message?: unknown } | undefined
  return typeof error?.message === 'string' ? error.message : 'refused'
}
