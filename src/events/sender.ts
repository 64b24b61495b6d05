export interface DeliveryAttempt {
  url: string
  secret: string
  /** The id of the message, which is the same for all attempts. */
  id: string
  type: string
  /** Counts from 1. */
  number: number
  body: string
  /** The id of the MCP client's subscription; null for an endpoint of the merchant. */
  subscription: string | null
  signal?: AbortSignal
}

export interface AttemptResult {
  delivered: boolean
  /** The HTTP status; null if there was no complete response. */
  status: number | null
  body: string | null
  /** The reason for the failure, as a sentence; null if the message was delivered. */
  error: string | null
  /** The wait that the endpoint has requested before the next attempt. */
  retryAfterMs: number
  durationMs: number
}

export interface WebhookSender {
  /** Signs and sends a message. Never rejects: a failure is also a result. */
  send(attempt: DeliveryAttempt): Promise<AttemptResult>
}
