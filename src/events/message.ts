import { currencies, cut } from '../contract/values/values.ts'
import { isolated } from '../format/direction.ts'
import { escapeForDiscord, escapeForSlack } from '../format/escape.ts'
import { formatMoney } from '../format/money.ts'

export interface EventMessage {
  id: string
  type: string
  description: string
  livemode: boolean
  createdAt: string
  data: EventData
  /** JSON of the old values of changed top-level fields; null unless the event is an update. */
  previousAttributes: string | null
  test?: boolean
}

export interface EventData {
  id: string
  object: string
  /** JSON of the whole resource, as it is shown after the event. */
  json: string
  /** The resource's name for people, if it has a field for one. */
  label: string | null
  amount?: unknown
  currency?: unknown
}

const MESSAGE_FORMATS = ['raw', 'slack', 'discord'] as const
/** `mcp` is the format of subscriptions of MCP clients. */
export type MessageFormat = (typeof MESSAGE_FORMATS)[number] | 'mcp'

export function formatOf({
  format,
  subscription,
}: {
  format: MessageFormat
  subscription: string | null
}): MessageFormat {
  return subscription === null ? format : 'mcp'
}

export const API_VERSION = 'v1'

/**
 * The maximum size of a body. Instead of a larger one, a body with only the type and id of the resource is sent, and the receiver
 * can retrieve the rest.
 */
const MAX_BODY_BYTES = 256_000
/** The maximum number of UTF-8 bytes for one UTF-16 code unit of a text. */
const MOST_BYTES_OF_CHARACTER = 3

export function bodyOf(message: EventMessage, format: MessageFormat): string {
  if (format === 'slack') return JSON.stringify({ text: sentenceOf(message, escapeForSlack) })
  if (format === 'discord') return JSON.stringify({ content: sentenceOf(message, escapeForDiscord) })
  const bodyWith = format === 'mcp' ? occurrence : rawBody
  const whole = bodyWith(message, message.data.json, message.previousAttributes)
  if (whole.length * MOST_BYTES_OF_CHARACTER <= MAX_BODY_BYTES || Buffer.byteLength(whole) <= MAX_BODY_BYTES)
    return whole
  const { id, object } = message.data
  return bodyWith(message, JSON.stringify({ id, object }), null, { truncated: true })
}

/** Assembles the body from JSON texts, because the event is serialized only once for all endpoints. */
function rawBody(message: EventMessage, data: string, previous: string | null, more: object = {}): string {
  const { id, type, livemode, createdAt, test } = message
  const head = { id, object: 'webhook_event', type, api_version: API_VERSION, livemode }
  const start = JSON.stringify({ ...head, created_at: createdAt, timestamp: createdAt }).slice(0, -1)
  const change = previous === null ? '' : `,"previous_attributes":${previous}`
  const end = JSON.stringify({ ...more, ...(test && { test }) }).slice(1)
  return `${start},"data":${data}${change}${end === '}' ? end : `,${end}`}`
}

/** Assembles an event in the form of the MCP extension (SEP-3415). */
function occurrence({ id, type, createdAt }: EventMessage, data: string): string {
  const head = JSON.stringify({ eventId: id, name: type, timestamp: createdAt }).slice(0, -1)
  return `${head},"data":${data},"cursor":null}`
}

function sentenceOf({ description, data, test }: EventMessage, escaped: (label: string) => string): string {
  const { label, id } = data
  const what = [label && isolated(escaped(label)), amountInWords(data)].filter((part) => part !== null).join(', ')
  const line = `${description.replace(/\.$/, '')}: ${what === '' ? id : `${what} (${id})`}`
  return `${test ? 'Test: ' : ''}${line}`.replace(/\s+/g, ' ')
}

function amountInWords({ amount, currency }: EventData): string | null {
  if (!Number.isInteger(amount) || typeof currency !== 'string' || !currencies.has(currency)) return null
  return formatMoney(Number(amount), currency)
}

/** The fields whose value can be the label of a resource. */
export const LABELS = ['name', 'title', 'code', 'email', 'content']
const LABEL_LENGTH = 80

export function labelOf(row: object): string | null {
  const [, label] =
    Object.entries(row).find(([name, value]) => LABELS.includes(name) && typeof value === 'string') ?? []
  return label === undefined ? null : cut(label, LABEL_LENGTH)
}
