import { VERSION } from '../runtime/version.ts'
import { createMetrics, type Gauge, type ReadGauges } from './metrics.ts'
import { Monitor } from './monitor.ts'
import { openTraces, type TraceSettings } from './traces/open-telemetry.ts'
import type { Traces } from './traces/traces.ts'

/** A gauge with the versions as labels, so that processes can be counted per version. */
const BUILD: Gauge = {
  name: 'build_info',
  help: 'Version of the service and of Node.js; the value is always 1',
  value: 1,
  labels: { version: VERSION, node: process.versions.node },
}

export interface Observed {
  monitor: Monitor
  /** `render` returns the content of `/metrics`, and requests for it need the token; null if metrics are off. */
  metrics: { token: string; render(): Promise<{ type: string; text: string }> } | null
  traces: Traces | null
  /** Adds functions that read gauges on each scrape. */
  read(...readers: ReadGauges[]): void
}

interface MonitoringSettings extends TraceSettings {
  METRICS_TOKEN?: string | undefined
}

export async function observe(
  { METRICS_TOKEN: token, ...settings }: MonitoringSettings,
  log: { info(details: object, message: string): void; warn(details: object, message: string): void },
): Promise<Observed> {
  const traces = await openTraces(settings, log)
  if (token === undefined) return { monitor: new Monitor(log, null), metrics: null, traces, read() {} }
  const readers: ReadGauges[] = []
  readers.push(() => [BUILD])
  const { measures, render } = await createMetrics(readers)
  return {
    monitor: new Monitor(log, measures),
    metrics: { token, render },
    traces,
    read: (...more) => void readers.push(...more),
  }
}
