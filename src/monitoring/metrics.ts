import type { Counter, Histogram, Registry } from 'prom-client'
import type { Measures } from './monitor.ts'

export interface Metrics {
  measures: Measures
  render(): Promise<{ type: string; text: string }>
}

/** A number that is computed on each scrape. */
export interface Gauge {
  name: string
  help: string
  value: number
  labels?: Record<string, string>
}

export type ReadGauges = () => Gauge[] | Promise<Gauge[]>

const PREFIX = 'shopwright_'
const MS_PER_SECOND = 1000
/** The histogram's bounds: reads take half a millisecond, and a response that waits for a job takes up to ten seconds. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const WRITER_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800]

/** The library is loaded here, so that a server without metrics does not load it. */
export async function createMetrics(readers: ReadGauges[]): Promise<Metrics> {
  const library = await import('prom-client')
  const registry = new library.Registry()
  library.collectDefaultMetrics({ register: registry })
  const instruments = instrumentsOf(library, registry)
  return {
    measures: measuresOf(instruments),
    async render() {
      const gauges = (await Promise.all(readers.map((read) => read()))).flat()
      const own = await registry.metrics()
      return { type: registry.contentType, text: `${own}${asText(gauges)}` }
    },
  }
}

function instrumentsOf({ Counter, Histogram }: typeof import('prom-client'), registry: Registry) {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: PREFIX + name, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> => new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers })
  return {
    requests: counter('requests_total', 'Requests answered', ['transport', 'operation', 'status']),
    requestSeconds: histogram('request_duration_seconds', 'Time until an answer begins', REQUEST_SECONDS, [
      'transport',
      'operation',
    ]),
    programs: counter('programs_total', 'Programs run', ['kind', 'outcome']),
    programSeconds: histogram('program_duration_seconds', 'Time that programs ran', REQUEST_SECONDS, ['kind']),
    programWait: histogram('program_wait_seconds', 'Time that programs waited for an interpreter', REQUEST_SECONDS),
    interpreter: histogram('interpreter_start_seconds', 'Time until a new interpreter was ready', REQUEST_SECONDS),
    writerWait: histogram('writer_wait_seconds', 'Time that turns waited for the writer', WRITER_SECONDS, ['kind']),
    writerHeld: histogram('writer_held_seconds', 'Time that a transaction held the writer', WRITER_SECONDS, ['kind']),
    deliveries: counter('webhook_attempts_total', 'Attempts to deliver an event', ['outcome']),
    deliverySeconds: histogram('webhook_attempt_duration_seconds', 'Time that attempts took', REQUEST_SECONDS),
    deliveryLag: histogram('webhook_lag_seconds', 'Time from when a delivery was due to its attempt', LAG_SECONDS),
    jobs: counter('jobs_ended_total', 'Attempts of jobs', ['job', 'outcome']),
    jobSeconds: histogram('job_duration_seconds', 'Time that attempts of jobs took', REQUEST_SECONDS, ['job']),
    mail: counter('mail_total', 'Messages handed to the mail server', ['outcome']),
  }
}

function measuresOf(instruments: ReturnType<typeof instrumentsOf>): Measures {
  const { requests, requestSeconds, programs, programSeconds, deliveries, deliverySeconds, deliveryLag } = instruments
  return {
    request({ transport, operation }, status, durationMs) {
      requests.inc({ transport, operation, status })
      requestSeconds.observe({ transport, operation }, durationMs / MS_PER_SECOND)
    },
    program({ kind, outcome, durationMs }) {
      programs.inc({ kind, outcome })
      programSeconds.observe({ kind }, durationMs / MS_PER_SECOND)
    },
    programWaited: (waitedMs) => instruments.programWait.observe(waitedMs / MS_PER_SECOND),
    interpreterStarted: (tookMs) => instruments.interpreter.observe(tookMs / MS_PER_SECOND),
    writerWaited: (kind, waitedMs) => instruments.writerWait.observe({ kind }, waitedMs / MS_PER_SECOND),
    writerHeld: (kind, heldMs) => instruments.writerHeld.observe({ kind }, heldMs / MS_PER_SECOND),
    delivery({ outcome, durationMs, lagMs }) {
      deliveries.inc({ outcome })
      deliverySeconds.observe(durationMs / MS_PER_SECOND)
      deliveryLag.observe(Math.max(0, lagMs) / MS_PER_SECOND)
    },
    job({ job, outcome, durationMs }) {
      instruments.jobs.inc({ job, outcome })
      instruments.jobSeconds.observe({ job }, durationMs / MS_PER_SECOND)
    },
    mail: (outcome) => instruments.mail.inc({ outcome }),
  }
}

/** Formats gauges as text, without the library, because they have no values between two scrapes. */
function asText(gauges: Gauge[]): string {
  let text = ''
  for (const [name, some] of Map.groupBy(gauges, (gauge) => gauge.name)) {
    text += `\n# HELP ${PREFIX}${name} ${some[0]!.help}\n# TYPE ${PREFIX}${name} gauge\n`
    for (const { value, labels = {} } of some) {
      const pairs = Object.entries(labels).map(([label, of]) => `${label}="${of}"`)
      text += `${PREFIX}${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
    }
  }
  return text
}
