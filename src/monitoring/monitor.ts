import type { DeliveryRecord, JobRecord, RequestRecord } from './records.ts'

interface Log {
  info(details: object, message: string): void
}

export interface Measures {
  request(record: Pick<RequestRecord, 'transport' | 'operation'> | CallLabels, status: number, durationMs: number): void
  program(run: { kind: 'search' | 'execute'; outcome: string; durationMs: number }): void
  programWaited(waitedMs: number): void
  interpreterStarted(tookMs: number): void
  writerWaited(kind: TurnKind, waitedMs: number): void
  writerHeld(kind: TurnKind, heldMs: number): void
  delivery(record: DeliveryRecord): void
  job(record: JobRecord): void
  mail(outcome: 'sent' | 'refused' | 'failed'): void
}

/** The labels of a call within a Ruby program, which also counts as a request for an operation. */
interface CallLabels {
  transport: 'program'
  operation: string
}

/** `short` units of work share a transaction with others; a `program` holds the writer lock alone. */
type TurnKind = 'short' | 'program'
/** Records events of the service in the log and, if metrics are on, in the metrics. */
export class Monitor {
  readonly #log: Log
  readonly measures: Measures | null

  constructor(log: Log, measures: Measures | null) {
    this.#log = log
    this.measures = measures
  }

  readonly requestAnswered = (record: RequestRecord, status: number, durationMs: number): void => {
    this.measures?.request(record, status, durationMs)
    this.#log.info({ ...record, status, durationMs: tenths(durationMs) }, 'A request was answered')
  }

  readonly jobEnded = (record: JobRecord): void => {
    this.measures?.job(record)
    this.#log.info({ ...record, durationMs: tenths(record.durationMs) }, 'A job ended')
  }

  readonly deliveryAttempted = (record: DeliveryRecord): void => {
    this.measures?.delivery(record)
    this.#log.info({ ...record, durationMs: tenths(record.durationMs) }, 'A delivery was attempted')
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
