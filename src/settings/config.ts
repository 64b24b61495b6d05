import { z } from 'zod'
import { FEATURE_CHECKS, FEATURE_PAIRS, FEATURE_SETTINGS, OUTSIDE_SETTINGS } from '../feature-settings.ts'
import {
  address,
  bootstrapToken,
  choice,
  count,
  headerName,
  hosts,
  httpUrl,
  lineOf,
  listenAddress,
  matching,
  nameServers,
  onOff,
  origins,
  path,
  postgresUrl,
  publicUrl,
  RETRY_GAPS,
  seconds,
  secret,
  share,
  smtpUrl,
} from './forms.ts'
import { PAYMENT_PAIRS, PAYMENT_SETTINGS } from './payments.ts'
import { givenValue, SettingError, settingRefusal } from './values.ts'

export { SettingError } from './values.ts'

/** Settings of tracing, with the names that OpenTelemetry uses. */
const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    httpUrl.optional(),
    'URL of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; without it, nothing is traced',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    matching(
      /^[\w-]+=[^,\r\n]*(,[\w-]+=[^,\r\n]*)*$/,
      'it needs pairs such as api-key=secret, comma-separated',
    ).optional(),
    'Headers for the collector, such as `api-key=secret`, comma-separated; values may be percent-encoded',
  ],
  OTEL_SERVICE_NAME: [lineOf(100).default('shopwright'), 'Name of the service in traces'],
  OTEL_TRACES_SAMPLER_ARG: [share.default(1), 'Share of requests and jobs that are traced, from 0 to 1'],
} as const

/** Every setting with its schema, default and meaning. Each is read from the environment variable of the same name. */
const SETTINGS = {
  PORT: [count(0, 65_535).default(3000), 'Port to listen on; 0 picks a free one'],
  HOST: [listenAddress.default('127.0.0.1'), 'Address to listen on; 0.0.0.0 for all interfaces'],
  DATA_DIR: [path.default('data'), 'Directory for the embedded database, the secret key and caches'],
  CACHE_DIR: [path.optional(), 'Cache directory; safe to delete. `cache` in `DATA_DIR` by default'],
  DATABASE_URL: [
    postgresUrl.optional(),
    'PostgreSQL URL, with several hosts where there is a standby; without it, the embedded database is used',
  ],
  PUBLIC_URL: [
    publicUrl.optional(),
    'Public URL of the service without a path, used in links; `http://localhost:PORT` by default',
  ],
  BOOTSTRAP_TOKEN: [bootstrapToken.optional(), 'Value of the first token, 24 characters or more, for automated setups'],
  SECRET_KEY: [
    z.string().min(24, 'it needs 24 characters or more').optional(),
    'Key for hashing tokens and encrypting secrets; a file in `DATA_DIR` by default. Replicas must share it',
  ],
  DEMO_DATA: [
    choice(['shop', 'none']).optional(),
    '`shop` fills the first account on first start, `none` leaves it empty; `shop` unless `NODE_ENV` is production',
  ],
  STORAGE_PER_ACCOUNT_MB: [
    count(1, 1_000_000).default(5_000),
    'Storage limit for the records of one account, in megabytes, including submissions, events, deliveries and stored responses. Files have their own limit of 50 GB',
  ],
  RATE_LIMIT_PER_MINUTE: [count(1).default(600), 'Requests per minute that a token may make'],
  RATE_LIMIT_BURST: [count(1).default(100), 'Requests a token may make at once'],
  CHECKOUT_POSTS_PER_MINUTE: [
    count(1).default(60),
    'Forms per minute that a client may send to checkout pages, and that one checkout accepts',
  ],
  FORM_POSTS_PER_CLIENT: [count(1).default(20), 'Submissions per minute that a client may send on form pages'],
  FORM_POSTS_PER_FORM: [count(1).default(300), 'Submissions per minute that one form page accepts'],
  SIGN_INS_PER_MINUTE: [
    count(1).default(10),
    'Password attempts and link requests per minute, per network and per e-mail address',
  ],
  RATE_LIMIT_SLOW_PER_MINUTE: [
    count(1).default(60),
    'Requests per minute, and at once, that a token may make to an operation with its own lower limit, such as `POST /emails`',
  ],
  SMTP_URL: [
    smtpUrl.optional(),
    'Mail server, such as `smtp://user:password@mail.example:587`; without it, messages are written to `outbox` in `DATA_DIR`',
  ],
  MAIL_FROM: [address.optional(), 'Sender address of e-mails; `shop@localhost` by default. Required with `SMTP_URL`'],
  EMAILS_PER_DAY: [
    count(1).default(2000),
    'E-mails of one kind that an account may send per day, such as those from `POST /emails`; the limit for receipts is ten times as high, for invitations a tenth',
  ],
  EMAILS_PER_RECIPIENT: [
    count(1).default(20),
    'E-mails of one kind that an account may send to one address per day; the limit for receipts is five times as high, for invitations a quarter',
  ],
  SANDBOX_WORKERS: [count(1, 64).optional(), 'Workers that run programs; by default the number of cores, at most 2'],
  ALLOWED_HOSTS: [hosts.default([]), 'Additional host names that the agent endpoint accepts, comma-separated'],
  ALLOWED_ORIGINS: [
    origins.default([]),
    'Origins of web pages that may call the agent endpoint, such as `https://app.example`, comma-separated',
  ],
  ...PAYMENT_SETTINGS,
  ...FEATURE_SETTINGS,
  S3_ENDPOINT: [
    httpUrl.optional(),
    'URL of an S3-compatible file store, such as `https://s3.eu-central-1.amazonaws.com`; by default files go to `files` in `DATA_DIR`',
  ],
  S3_BUCKET: [
    matching(/^[a-z0-9][a-z0-9.-]{2,62}$/, 'it needs 3 to 63 lower-case letters, digits, dots and hyphens').optional(),
    'Bucket for files; it should contain nothing else',
  ],
  S3_REGION: [
    matching(/^[a-z0-9-]+$/, 'it needs a name such as eu-central-1').default('us-east-1'),
    'Region of the bucket',
  ],
  S3_ACCESS_KEY_ID: [secret(1, 1000).optional(), 'Access key id of the store'],
  S3_SECRET_ACCESS_KEY: [secret(1, 1000).optional(), 'Secret access key of the store'],
  TRUST_PROXY: [
    onOff.default(false),
    'For use behind a proxy: takes the client’s address from the last `X-Forwarded-For` entry, and does not count connections by client',
  ],
  WEBHOOK_RETRY_GAPS: [
    seconds.default(RETRY_GAPS),
    'Seconds between attempts to deliver an event, comma-separated; each gap varies randomly by a tenth',
  ],
  WEBHOOK_TIMEOUT_SECONDS: [count(1, 30).default(5), 'Seconds that a webhook endpoint has to respond completely'],
  WEBHOOK_SIGNATURE_HEADER: [
    headerName.default('X-Webhook-Hmac-SHA256'),
    'Header with the signature of the body alone, in addition to the Standard Webhooks headers',
  ],
  WEBHOOK_KEPT_DAYS: [count(7).default(30), 'Days that finished deliveries are kept, 7 or more'],
  WEBHOOKS_ALLOW_LOOPBACK: [
    onOff.default(false),
    'Development only: allows webhook endpoints on this machine and over http',
  ],
  OUTSIDE_ALLOW_LOOPBACK: [
    onOff.default(false),
    'Development only: allows other URLs that accounts provide to be on this machine',
  ],
  CLIENT_DOCUMENTS: [
    onOff.default(true),
    'Whether programs that connect to `/connect` may identify themselves with a document at an https URL, which the service fetches; otherwise each must register',
  ],
  SIMULATED_PROVIDERS: [
    onOff.optional(),
    'Whether providers that only pretend, such as the social sandbox and the trial filing agent, serve live accounts too; they always serve test accounts. On unless `NODE_ENV` is production, where it cannot be turned on',
  ],
  MODEL_PROVIDER: [
    choice(['anthropic', 'openai-compatible']).optional(),
    'API of the model that carries out task prompts in plain words; without it, they wait for an external agent',
  ],
  MODEL_ID: [lineOf(200).optional(), 'Name of the model, as its provider has it'],
  MODEL_API_KEY: [secret(1, 1000).optional(), 'API key of the model provider'],
  MODEL_BASE_URL: [
    httpUrl.optional(),
    'URL of the model’s API, such as `http://127.0.0.1:11434/v1`; required with `openai-compatible`',
  ],
  MODEL_TOKENS_PER_DAY: [
    count(1).default(2_000_000),
    'Tokens of this model per day (UTC) that the tasks and questions of one account may use, read and written',
  ],
  MODEL_TOKENS_PER_CREDIT: [
    count(0).default(10_000),
    'Tokens of this model that one credit of an account pays for; 0: they cost no credits',
  ],
  MONTHLY_CREDITS: [
    count(0, 1_000_000).default(0),
    'Credits that each account is granted every month, from the month after it was made; months are those of UTC',
  ],
  ...TRACE_SETTINGS,
  DNS_SERVERS: [
    nameServers.default([]),
    'DNS servers for checking the domains of sites, comma-separated; the system’s by default',
  ],
  OUTBOUND_DISABLED: [
    onOff.default(false),
    'Starts a copy of a service that sends nothing: no e-mails, webhooks, posts or charges, and no scheduled work. A restored backup starts so until `npm run go-live`',
  ],
  DRAIN_SECONDS: [
    count(0, 300).default(0),
    'Seconds that a stopping server still accepts requests while `/readyz` answers 503',
  ],
  STOP_SECONDS: [
    count(1, 3600).default(25),
    'Seconds that running requests, programs, deliveries and jobs have to finish when the server stops',
  ],
  METRICS_TOKEN: [
    secret(24, 512).optional(),
    'Bearer token for `/metrics`, 24 characters or more; without it, `/metrics` is not available',
  ],
  LOG_LEVEL: [choice(['debug', 'info', 'warn', 'error', 'silent']).default('warn'), 'Lowest log level that is written'],
  NODE_ENV: [
    choice(['development', 'production', 'test']).default('development'),
    '`production` starts without demo data, and refuses settings that are for development',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type SettingName = keyof typeof SETTINGS
export type Settings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name][0]> }

/**
 * Returns the settings of a service that sends nothing. They contain no mail server, payment providers, model or simulated
 * providers, and no apps of features at other services. The file store stays the same.
 */
export function quietSettings(settings: Settings): Settings {
  const outside = [...Object.keys(PAYMENT_SETTINGS), ...OUTSIDE_SETTINGS, ...QUIET_WITHOUT]
  const none = Object.fromEntries(outside.map((name) => [name, undefined]))
  return { ...settings, ...none, SIMULATED_PROVIDERS: false, OUTBOUND_DISABLED: true }
}

const QUIET_WITHOUT = ['SMTP_URL', 'MODEL_PROVIDER'] satisfies SettingName[]

/** Former names of settings, which versions before 0.5 still read. */
export const RENAMED: Readonly<Record<string, string>> = {
  LETTERS_PER_DAY: 'EMAILS_PER_DAY',
  LETTERS_PER_RECIPIENT: 'EMAILS_PER_RECIPIENT',
  SANDBOX_PROVIDERS: 'SIMULATED_PROVIDERS',
  QUIET: 'OUTBOUND_DISABLED',
}

const FORMER = new Map(Object.entries(RENAMED).map(([old, name]) => [name, old]))

/** Reads the settings from environment variables; an empty variable counts as absent. Throws SettingError. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const settings: Record<string, unknown> = {}
  for (const [name, [schema]] of Object.entries(SETTINGS)) {
    const given = givenValue(name, environment[name] || environment[FORMER.get(name) ?? name])
    const result = schema.safeParse(given)
    if (!result.success) throw new SettingError(settingRefusal(name, given, result.error.issues[0]!.message))
    settings[name] = result.data
  }
  requireTogether(settings)
  if (settings.MODEL_PROVIDER === 'openai-compatible' && settings.MODEL_BASE_URL === undefined)
    throw new SettingError(
      'MODEL_BASE_URL is missing: MODEL_PROVIDER is openai-compatible, which has no address of its own.',
    )
  if (settings.MODEL_PROVIDER === 'anthropic' && (settings.MODEL_API_KEY ?? settings.MODEL_BASE_URL) === undefined)
    throw new SettingError('MODEL_API_KEY is missing: MODEL_PROVIDER is anthropic, which needs one.')
  if (
    settings.X402_RPC_URLS !== undefined &&
    (settings.X402_SETTLER_KEY ?? settings.X402_FACILITATOR_URL) === undefined
  )
    throw new SettingError(
      'X402_FACILITATOR_URL is missing: X402_RPC_URLS needs it or X402_SETTLER_KEY, to settle payments on the chains.',
    )
  if (settings.X402_SETTLER_KEY !== undefined && settings.X402_FACILITATOR_URL !== undefined)
    throw new SettingError('X402_SETTLER_KEY is invalid: X402_FACILITATOR_URL is set, and one of them settles.')
  if (settings.X402_FACILITATOR_KEY !== undefined && settings.X402_FACILITATOR_KEY_ID !== undefined)
    throw new SettingError(
      'X402_FACILITATOR_KEY is invalid: X402_FACILITATOR_KEY_ID is set, whose tokens take its place.',
    )
  refuseForDevelopment(settings as Settings)
  for (const check of FEATURE_CHECKS) {
    const problem = check(settings as Settings)
    if (problem !== null) throw new SettingError(problem)
  }
  return settings as Settings
}

/** Settings that need another setting, with the needed setting and its purpose. */
const TOGETHER: readonly [name: SettingName, needed: SettingName, what: string][] = [
  // Without Stripe's webhooks, a payment would be completed only when somebody requests its state.
  ...PAYMENT_PAIRS,
  ...FEATURE_PAIRS,
  ['MODEL_PROVIDER', 'MODEL_ID', 'the model to ask'],
  ['MODEL_ID', 'MODEL_PROVIDER', 'the API that it is asked by'],
  ['MODEL_BASE_URL', 'MODEL_PROVIDER', 'the API that it is asked by'],
  ['MODEL_API_KEY', 'MODEL_PROVIDER', 'the API that takes it'],
  ['SMTP_URL', 'MAIL_FROM', 'the address that messages come from'],
  ['S3_ENDPOINT', 'S3_BUCKET', 'the bucket that files go to'],
  ['S3_BUCKET', 'S3_ENDPOINT', 'the store that has the bucket'],
  ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'to sign requests'],
  ['S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY', 'to sign requests'],
  ['S3_ACCESS_KEY_ID', 'S3_ENDPOINT', 'the store that the key is for'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT', 'the store that the key is for'],
]

function requireTogether(settings: Record<string, unknown>): void {
  for (const [name, needed, what] of TOGETHER)
    if (settings[name] !== undefined && settings[needed] === undefined)
      throw new SettingError(`${needed} is missing: ${name} needs it, ${what}.`)
}

/** Settings that would expose this machine's own services to every account, or show simulated results to live accounts. */
const DEVELOPMENT_ONLY = ['WEBHOOKS_ALLOW_LOOPBACK', 'OUTSIDE_ALLOW_LOOPBACK', 'SIMULATED_PROVIDERS'] as const

function refuseForDevelopment(settings: Settings): void {
  const given = DEVELOPMENT_ONLY.find((name) => settings[name])
  if (given && settings.NODE_ENV === 'production')
    throw new SettingError(`${given} is invalid: it is for development, and NODE_ENV is production.`)
}

export interface SettingMeaning {
  name: string
  /** The default, written as in an environment variable; empty if there is none. */
  fallback: string
  meaning: string
}

/** Returns every setting, for the documentation. */
export function settingMeanings(): SettingMeaning[] {
  return Object.entries(SETTINGS).map(([name, [schema, meaning]]) => {
    const fallback: unknown = schema.safeParse(undefined).data
    return { name, fallback: String(fallback ?? ''), meaning }
  })
}
