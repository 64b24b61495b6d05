import type { Fields } from '../../contract/declarations/field.ts'
import type { WebClient } from '../web/client.ts'

/** A source's configuration as its provider's fields declare it, with its secrets. */
export type SourceConfig = Record<string, unknown>

/** Something that happened outside, as tasks hear of it. */
export interface SourceEvent {
  type: string
  data: Record<string, unknown>
}

/** What every provider says of itself, and how its sources are set up. */
interface DescribedProvider {
  provider: string
  name: string
  /** Whole sentences. */
  description: string
  eventTypes: readonly { name: string; description: string }[]
  /** What a source is configured with. A field that is `inputOnly` is a secret: it is sealed, and shown as null. */
  config: Fields
  /** What is wrong with values that have the right form, by field. Asks nothing outside. */
  check?(config: SourceConfig, web: WebClient): Record<string, string>
}

/** One request to the address of a source. */
export interface Delivery {
  body: Uint8Array
  /** The JSON value of the body. */
  json: unknown
  /** A header by its lower-case name. */
  header(name: string): string | null
  /** When it came, in milliseconds since 1970. */
  receivedMs: number
}

/** The sender of a delivery has not shown that it knows the secret; the message says what is missing or wrong. */
export class NotGenuineError extends Error {
  override name = 'NotGenuineError'
}

/** Its events are posted to an address of this service. */
export interface PushedProvider extends DescribedProvider {
  kind: 'pushed'
  /** The event of a delivery, and its own id, which a repetition repeats. Throws NotGenuineError. */
  receive(delivery: Delivery, config: SourceConfig): { event: SourceEvent; id: string | null }
}

/** The outside answered, and not as needed; the message says why in a sentence. */
export class SourceFailedError extends Error {
  override name = 'SourceFailedError'
}

export interface Poll {
  config: SourceConfig
  /** What the last successful poll returned; null before the first one. */
  memory: string | null
  web: WebClient
  signal: AbortSignal
}

/** Its events are asked for again and again. */
export interface PolledProvider extends DescribedProvider {
  kind: 'polled'
  /** Seconds from one poll to the next. */
  intervalSeconds(config: SourceConfig): number
  /**
   * What has happened since the last poll, the oldest first, and what the next one must know, at most 100,000 characters.
   * Rejects with SourceFailedError, AddressRefusedError or NoAnswerError.
   */
  poll(poll: Poll): Promise<{ events: SourceEvent[]; memory: string }>
}

/** Its events happen at moments that are known before. Moments are ISO 8601 in UTC, as answers write them. */
export interface TimedProvider extends DescribedProvider {
  kind: 'timed'
  /** The first moment after another; null when there is none. */
  next(config: SourceConfig, after: string): string | null
  at(moment: string): SourceEvent
}

/** A way by which events come in. Another one is a folder of its own, and its name in `registry.ts`. */
export type SourceProvider = PushedProvider | PolledProvider | TimedProvider

/** The providers that sources can be connected to, by name. */
export interface Sources {
  all: readonly SourceProvider[]
  find(provider: string): SourceProvider | undefined
}
