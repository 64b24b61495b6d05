/** One attempt to deliver a message. */
export interface Attempt {
  url: string
  /** The secret of the endpoint. */
  secret: string
  /** The id of the message, the same at every attempt. */
  id: string
  type: string
  /** From 1. */
  number: number
  body: string
  signal?: AbortSignal
}

/** What came of an attempt. */
export interface AttemptResult {
  /** The endpoint answered with a 2xx. */
  delivered: boolean
  /** Null when no complete answer came. */
  status: number | null
  /** The beginning of the answer, as it is kept. */
  body: string | null
  /** Why it failed, in a sentence; null when it was delivered. */
  error: string | null
  /** Milliseconds that the endpoint asked to be left alone for. */
  retryAfterMs: number
  durationMs: number
}

/** Sends signed messages to the endpoints of webhooks. */
export interface WebhookSender {
  /** Never rejects: whatever goes wrong is a result. */
  send(attempt: Attempt): Promise<AttemptResult>
}
