/** A message, complete. No value that becomes a header holds a line break. */
export interface Message {
  /** Our id of the e-mail. The Message-ID is made from it, so every attempt sends the same one and clients fold them. */
  id: string
  from: { name: string; address: string }
  to: string
  replyTo: string | null
  subject: string
  /** At least one of `text` and `html` is there. */
  text: string | null
  html: string | null
  /** Where the reader stops such messages, with one click of the mail program (RFC 8058); null for those that nobody can stop. */
  stopUrl?: string | null
  /** When it was written, ISO 8601 in UTC. */
  date: string
}

/** A way for messages to leave. A rejection makes another attempt, except for a MailRefusedError. */
export interface MailProvider {
  /** Whether messages are sent, or kept where nobody receives them. */
  readonly sends: boolean
  /** What becomes of messages, in a sentence for the owner of a shop. */
  readonly reason: string
  /** A sentence that tells the operator how to have messages sent; absent where they are sent. */
  readonly setUp?: string
  /** Where messages go, for the operator, after `E-mails are`: `kept in data/outbox`. */
  readonly destination: string
  send(message: Message, signal: AbortSignal): Promise<void>
  /** Rejects when messages could not be sent now. */
  check(): Promise<void>
  /** Ends what is under way and frees the connections. */
  close(): void
}

export interface MailEntry<Settings> {
  /** What to do so that it sends messages, in a sentence. */
  readonly setUp: string
  /** The provider when the settings set it up, otherwise null. */
  open(settings: Settings): MailProvider | null
}

/** Letters of one kind that an account may send in a day: in all, and to one address. Each kind has a share of them. */
export interface LetterLimits {
  perDay: number
  perRecipient: number
}

export interface Mail {
  readonly from: string
  readonly letters: LetterLimits
  /** The provider for an account's messages; those of a test account are kept and never sent. */
  providerFor(account: { test: boolean }): MailProvider
  /** Rejects when messages of live accounts could not be sent now. */
  check(): Promise<void>
  /** Ends what is under way and frees the connections. */
  close(): void
}

/** The server will never take this message: another attempt would end the same. The message is for the merchant. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
}
