import type { Fields } from '../../contract/declarations/field.ts'
import type { WebClient } from '../web/client.ts'

/** The values of the fields that the provider declares, including secrets. */
export type SourceConfig = Record<string, unknown>

export interface SourceEvent {
  type: string
  data: Record<string, unknown>
}

interface DescribedProvider {
  provider: string
  name: string
  /** In full sentences. */
  description: string
  eventTypes: readonly { name: string; description: string }[]
  /** The fields of a source. A field that is `inputOnly` is a secret, which is encrypted and shown as null. */
  config: Fields
  /** Returns error messages by field for well-formed values, without sending requests. */
  check?(config: SourceConfig, web: WebClient): Record<string, string>
}

export interface Delivery {
  body: Uint8Array
  json: unknown
  /** Returns a header by lower-case name. */
  header(name: string): string | null
  /** The arrival time in milliseconds since 1970. */
  receivedMs: number
}

/** The sender did not prove knowledge of the secret; the message gives the reason. */
export class NotGenuineError extends Error {}

export interface PushedProvider extends DescribedProvider {
  kind: 'pushed'
  /** Also returns the event's id at the sender, by which repeated deliveries are recognized. Throws NotGenuineError. */
  receive(delivery: Delivery, config: SourceConfig): { event: SourceEvent; id: string | null }
}

/** The response of another service was unusable; the message gives the reason in a sentence. */
export class SourceFailedError extends Error {}

export interface Poll {
  config: SourceConfig
  /** The memory that the last successful poll returned; null before the first poll. */
  memory: string | null
  web: WebClient
  signal: AbortSignal
}

export interface PolledProvider extends DescribedProvider {
  kind: 'polled'
  intervalSeconds(config: SourceConfig): number
  /**
   * Returns the events since the last poll, oldest first, and the memory for the next poll, at most 100,000 characters. Rejects with
   * SourceFailedError, AddressRefusedError or NoAnswerError.
   */
  poll(poll: Poll): Promise<{ events: SourceEvent[]; memory: string }>
}

/** A provider with events at known times, which are ISO 8601 in UTC. */
export interface TimedProvider extends DescribedProvider {
  kind: 'timed'
  /** Returns the first time after `after`; null if there is none. */
  next(config: SourceConfig, after: string): string | null
  at(moment: string): SourceEvent
}

/** A source of events. To add one, create a folder and list it in `registry.ts`. */
export type SourceProvider = PushedProvider | PolledProvider | TimedProvider

export interface Sources {
  all: readonly SourceProvider[]
  find(provider: string): SourceProvider | undefined
}
