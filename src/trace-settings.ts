import { z } from 'zod'
import { httpUrl, lineOf, share } from './setting-forms.ts'

/** Where traces go. The names are those that OpenTelemetry has given them. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    httpUrl.optional(),
    'URL of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; without it, nothing is traced',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    z
      .string()
      .regex(/^[\w-]+=[^,\r\n]*(,[\w-]+=[^,\r\n]*)*$/, 'it needs pairs such as api-key=secret, comma-separated')
      .optional(),
    'Headers for the collector, such as `api-key=secret`, comma-separated; values may be percent-encoded',
  ],
  OTEL_SERVICE_NAME: [lineOf(100).default('shopwright'), 'Name of the service in traces'],
  OTEL_TRACES_SAMPLER_ARG: [share.default(1), 'Share of requests and jobs that are traced, from 0 to 1'],
} as const
