import { z } from 'zod'
import { couldBeToken, TOKEN_PREFIX } from './access/token-format.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const positive = z.coerce.number().int().min(1)
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean),
)

/** Every setting: its form, its default, and what it means. Each is an environment variable of its name. */
const SETTINGS = {
  PORT: [port.default(3000), 'Port to listen on; 0 takes a free one'],
  HOST: [z.string().default('127.0.0.1'), 'Address to listen on; 0.0.0.0 for all interfaces'],
  DATA_DIR: [z.string().default('data'), 'Directory of the embedded database, the secret key and caches'],
  CACHE_DIR: [z.string().optional(), 'Directory of what can be made again; `cache` in `DATA_DIR` when absent'],
  DATABASE_URL: [z.string().optional(), 'PostgreSQL address; the embedded database is used when absent'],
  PUBLIC_URL: [httpUrl.optional(), 'Where people and links reach the service; `http://localhost:PORT` when absent'],
  BOOTSTRAP_TOKEN: [
    z
      .string()
      .regex(/^[!-~]{24,512}$/, 'It needs 24 to 512 visible ASCII characters and no spaces')
      .refine(
        couldBeToken,
        `It begins with ${TOKEN_PREFIX} but was not made by Shopwright, so it would never be accepted`,
      )
      .optional(),
    'Value of the first token, 24 characters or more, for automated set-ups',
  ],
  SECRET_KEY: [
    z.string().min(24).optional(),
    'Key under which tokens are hashed; a file in `DATA_DIR` when absent. Replicas must share it',
  ],
  DEMO_DATA: [
    z.enum(['shop', 'none']).optional(),
    '`shop` fills the first account on first start, `none` leaves it empty; `shop` unless `NODE_ENV` is production',
  ],
  RATE_LIMIT_PER_MINUTE: [positive.default(600), 'Requests a token may make a minute'],
  RATE_LIMIT_BURST: [positive.default(100), 'Requests a token may make at once'],
  SANDBOX_WORKERS: [
    positive.max(64).optional(),
    'Workers that run programs; the number of cores, at most 2, when absent',
  ],
  ALLOWED_HOSTS: [list.default([]), 'More host names the agent-tool endpoint answers to, comma-separated'],
  ALLOWED_ORIGINS: [list.default([]), 'Origins of web pages that may call the agent-tool endpoint, comma-separated'],
  TRUST_PROXY: [z.stringbool().default(false), 'Take the client’s address from the last `X-Forwarded-For` entry'],
  LOG_LEVEL: [z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'), 'Least severe lines of the log'],
  NODE_ENV: [z.string().default('development'), '`production` starts without demo data'],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type Names = keyof typeof SETTINGS
export type Settings = { readonly [Name in Names]: z.output<(typeof SETTINGS)[Name][0]> }

/** A setting that cannot be used, told in one sentence. */
export class SettingError extends Error {
  override name = 'SettingError'
}

/** Reads the settings from environment variables; empty ones count as absent. Throws SettingError. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const settings: Record<string, unknown> = {}
  for (const [name, [schema, meaning]] of Object.entries(SETTINGS)) {
    const given = environment[name] === '' ? undefined : environment[name]
    const result = schema.safeParse(given)
    if (!result.success)
      throw new SettingError(
        `${name} cannot be ${shown(name, given)}: ${result.error.issues[0]!.message}. It is: ${meaning}.`,
      )
    settings[name] = result.data
  }
  return settings as Settings
}

/** Name and meaning of every setting, for the documents. */
export function settingMeanings(): [name: string, meaning: string][] {
  return Object.entries(SETTINGS).map(([name, [, meaning]]) => [name, meaning])
}

const SECRETS = new Set(['BOOTSTRAP_TOKEN', 'SECRET_KEY', 'DATABASE_URL'])

function shown(name: string, value: string | undefined): string {
  return SECRETS.has(name) ? 'what it is' : `"${value}"`
}
