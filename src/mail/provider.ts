/** A message, complete. Addresses and subject hold no line breaks. */
export interface Message {
  /** Our id of the e-mail; the same at every attempt. */
  id: string
  from: { name: string; address: string }
  to: string
  replyTo: string | null
  subject: string
  text: string | null
  html: string | null
}

/** How messages leave. A rejection makes another attempt, except for a MailRefusedError. */
export interface MailProvider {
  /** The sender's address where an account has none of its own. */
  readonly from: string
  send(message: Message, signal: AbortSignal): Promise<void>
}

/** The server will never take this message: another attempt would end the same. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError'
}
