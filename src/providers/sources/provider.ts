import type { Fields } from '../../contract/declarations/field.ts'
import type { WebClient } from '../web/client.ts'

/** A source's configuration, including secrets, by the fields that its provider declares. */
export type SourceConfig = Record<string, unknown>

/** An event of another service that can start tasks. */
export interface SourceEvent {
  type: string
  data: Record<string, unknown>
}

/** The description of a provider and the setup of its sources. */
interface DescribedProvider {
  provider: string
  name: string
  /** The description, in full sentences. */
  description: string
  eventTypes: readonly { name: string; description: string }[]
  /** The configuration of a source. A field that is `inputOnly` is a secret: it is encrypted, and shown as null. */
  config: Fields
  /** Returns error messages by field, for values that are well-formed. Sends no requests. */
  check?(config: SourceConfig, web: WebClient): Record<string, string>
}

/** One request to a source's URL. */
export interface Delivery {
  body: Uint8Array
  /** The parsed JSON body. */
  json: unknown
  /** Returns a header by lower-case name. */
  header(name: string): string | null
  /** The arrival time in milliseconds since 1970. */
  receivedMs: number
}

/** The sender of a delivery did not prove knowledge of the secret; the message gives the reason. */
export class NotGenuineError extends Error {
  override name = 'NotGenuineError'
}

/** A provider whose events are posted to a URL of this service. */
export interface PushedProvider extends DescribedProvider {
  kind: 'pushed'
  /** Returns the event of a delivery and its own id, by which repeated deliveries are recognized. Throws NotGenuineError. */
  receive(delivery: Delivery, config: SourceConfig): { event: SourceEvent; id: string | null }
}

/** The response of another service was unusable; the message gives the reason in a sentence. */
export class SourceFailedError extends Error {
  override name = 'SourceFailedError'
}

export interface Poll {
  config: SourceConfig
  /** The memory that the last successful poll returned; null before the first poll. */
  memory: string | null
  web: WebClient
  signal: AbortSignal
}

/** A provider whose events are polled. */
export interface PolledProvider extends DescribedProvider {
  kind: 'polled'
  /** Returns the polling interval in seconds. */
  intervalSeconds(config: SourceConfig): number
  /**
   * Returns the events since the last poll, the oldest first, and the memory for the next one, at most 100,000 characters.
   * Rejects with SourceFailedError, AddressRefusedError or NoAnswerError.
   */
  poll(poll: Poll): Promise<{ events: SourceEvent[]; memory: string }>
}

/** A provider whose events happen at known times. Times are ISO 8601 in UTC, in the API's format. */
export interface TimedProvider extends DescribedProvider {
  kind: 'timed'
  /** Returns the first time after another; null if there is none. */
  next(config: SourceConfig, after: string): string | null
  at(moment: string): SourceEvent
}

/** A source of events. To add one, create a folder and list it in `registry.ts`. */
export type SourceProvider = PushedProvider | PolledProvider | TimedProvider

/** The providers for sources, by name. */
export interface Sources {
  all: readonly SourceProvider[]
  find(provider: string): SourceProvider | undefined
}
