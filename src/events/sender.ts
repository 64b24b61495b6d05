/** An attempt to deliver a message. */
export interface DeliveryAttempt {
  url: string
  secret: string
  /** The id of the message, the same for all attempts. */
  id: string
  type: string
  /** The number of the attempt, from 1. */
  number: number
  body: string
  signal?: AbortSignal
}

/** The result of an attempt. */
export interface AttemptResult {
  /** Whether the endpoint answered with a 2xx status. */
  delivered: boolean
  /** Null without a complete response. */
  status: number | null
  /** The beginning of the response, as it is stored. */
  body: string | null
  /** The reason for the failure, as a sentence; null if it was delivered. */
  error: string | null
  /** Milliseconds that the endpoint asked to wait before the next attempt. */
  retryAfterMs: number
  durationMs: number
}

/** Sends signed messages to webhook endpoints. */
export interface WebhookSender {
  /** Never rejects: every failure is a result. */
  send(attempt: DeliveryAttempt): Promise<AttemptResult>
}
