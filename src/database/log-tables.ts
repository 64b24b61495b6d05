export interface WebhookAttemptRow {
  account_id: string
  id: string
  webhook_event: string
  /** Counted from 1. */
  number: number
  response_status: number | null
  error_message: string | null
  duration_ms: number
  created_at: string
  response_body: string | null
}

/** An entry of the request log. Request bodies are not stored. */
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
  /** JSON with the names of the request's invalid parameters. */
  parameters: string
  /** The id of the API token or OAuth connection that sent the request. */
  caller: string
  user_id: string | null
  duration_ms: number
  /** The number of requests at about the same time that were not logged. */
  left_out: number
  created_at: string
}
