/** One attempt to deliver an event. */
export interface WebhookAttemptRow {
  account_id: string
  id: string
  webhook_event: string
  /** From 1. */
  number: number
  response_status: number | null
  error_message: string | null
  duration_ms: number
  /** When it was sent. */
  created_at: string
  /** The beginning of the answer. */
  response_body: string | null
}

/** A request that was answered; never its body. */
export interface ApiRequestRow {
  account_id: string
  id: string
  transport: 'rest' | 'mcp'
  method: string
  path: string
  operation: string | null
  status: number
  error_code: string | null
  error_message: string | null
  /** JSON: names of parameters that were wrong. */
  parameters: string
  /** The token or connection. */
  caller: string
  user_id: string | null
  duration_ms: number
  /** Requests of the same moment that were not kept. */
  left_out: number
  created_at: string
}
