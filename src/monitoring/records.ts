/**
 * A request that was answered, as the log and the metrics see it. It never holds a path, a query or a body: the addresses of
 * pages are secrets.
 */
export interface RequestRecord {
  requestId: string
  transport: 'rest' | 'mcp' | 'page'
  method: string
  /** The operation's id, the tool, or the pattern of the address, of which there is a fixed number; `none` when there is none. */
  operation: string
  accountId?: string
  callerId?: string
}

/** A record before anything is known of the request. */
export function blankRecord(method: string): RequestRecord {
  return { requestId: '', transport: 'page', method, operation: '' }
}

export interface JobRecord {
  jobId: string
  job: string
  accountId: string
  attempt: number
  outcome: 'done' | 'failed'
  durationMs: number
}

export interface DeliveryRecord {
  deliveryId: string
  endpointId: string
  accountId: string
  attempt: number
  outcome: 'delivered' | 'failed'
  /** What the endpoint answered with; null when no complete answer came. */
  status: number | null
  durationMs: number
  /** From when it was due until the attempt began. */
  lagMs: number
}
