import { VERSION } from '../version.ts'
import { createMetrics, type Gauge, type ReadGauges } from './metrics.ts'
import { Monitor } from './monitor.ts'

/** Which release this is, for a count of processes by version. */
const BUILD: Gauge = {
  name: 'build_info',
  help: 'Version of the service and of Node.js; the value is always 1',
  value: 1,
  labels: { version: VERSION, node: process.versions.node },
}

/** How this process is watched. */
export interface Observed {
  monitor: Monitor
  /** What `/metrics` shows, and the token that reads it; null when nobody may. */
  metrics: { token: string; render(): Promise<{ type: string; text: string }> } | null
  /** Adds what is looked up when somebody reads. */
  read(...readers: ReadGauges[]): void
}

interface Settings {
  METRICS_TOKEN?: string | undefined
}

/** Log lines in any case, and metrics where the settings have a token for them. */
export async function observe(
  { METRICS_TOKEN: token }: Settings,
  log: { info(details: object, message: string): void },
): Promise<Observed> {
  if (token === undefined) return { monitor: new Monitor(log, null), metrics: null, read() {} }
  const readers: ReadGauges[] = []
  readers.push(() => [BUILD])
  const { measures, render } = await createMetrics(readers)
  return {
    monitor: new Monitor(log, measures),
    metrics: { token, render },
    read: (...more) => void readers.push(...more),
  }
}
