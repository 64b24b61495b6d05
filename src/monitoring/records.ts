/**
 * An answered request, as the log and the metrics record it. Never holds a path, query or body, because the addresses of pages
 * are secrets.
 */
export interface RequestRecord {
  requestId: string
  transport: 'rest' | 'mcp' | 'page'
  method: string
  /** The operation's id, the tool, or the route's pattern, so that the number of values is limited; `none` if there is none. */
  operation: string
  accountId?: string
  callerId?: string
}

/** Creates a record before anything is known about the request. */
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
  /** The HTTP status of the endpoint's response; null if no complete response arrived. */
  status: number | null
  durationMs: number
  /** The time from when the delivery was due until the attempt began. */
  lagMs: number
}
