/** A complete message. Values that become headers contain no line breaks. */
export interface Message {
  /** Our id of the e-mail. The Message-ID is derived from it, so that mail clients recognize repeated attempts as one message. */
  id: string
  from: { name: string; address: string }
  to: string
  replyTo: string | null
  subject: string
  /** The plain text. At least one of `text` and `html` is not null. */
  text: string | null
  html: string | null
  /** The one-click unsubscribe URL for mail clients (RFC 8058); null if the reader cannot unsubscribe. */
  stopUrl?: string | null
  /** The time of writing, ISO 8601 in UTC. */
  date: string
}

/** Sends messages. A rejection leads to another attempt, except for a MailRefusedError. */
export interface MailProvider {
  /** Whether messages are really sent; false if they are only stored. */
  readonly sends: boolean
  /** A sentence for the owner of a shop that says whether messages are sent. */
  readonly reason: string
  /** A sentence with the setup instructions; absent if messages are sent. */
  readonly setUp?: string
  /** The place where messages go, as the end of a sentence for the operator that begins with `E-mails are`: `kept in data/outbox`. */
  readonly destination: string
  send(message: Message, signal: AbortSignal): Promise<void>
  /** Rejects if messages cannot be sent at present. */
  check(): Promise<void>
  /** Aborts work in progress and closes the connections. */
  close(): void
}

export interface MailEntry<Settings> {
  /** The setup instructions, in a sentence. */
  readonly setUp: string
  /** Returns the provider, or null if the settings do not configure it. */
  open(settings: Settings): MailProvider | null
}

/** The maximum number of e-mails that an account sends in a day, in total and to one recipient. Each kind of e-mail may use a share. */
export interface LetterLimits {
  perDay: number
  perRecipient: number
}

export interface Mail {
  readonly from: string
  readonly letters: LetterLimits
  /** Returns the provider for an account's messages; those of a test account are stored and never sent. */
  providerFor(account: { test: boolean }): MailProvider
  /** Rejects if messages of live accounts cannot be sent at present. */
  check(): Promise<void>
  /** Aborts work in progress and closes the connections. */
  close(): void
}

/** The server refused the message permanently, so no other attempt is made. The error's message is for the merchant. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
}
