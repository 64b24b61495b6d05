/** A request as recorded in the log and the metrics, without its path, query and body, because the URLs of some pages are secrets. */
export interface RequestRecord {
  requestId: string
  transport: 'rest' | 'mcp' | 'page'
  method: string
  /** The operation's id, the tool's name or the route's pattern, so that metrics have few labels; empty or `none` without any. */
  operation: string
  accountId?: string
  callerId?: string
}

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
  /** The delay from when the delivery was due until the attempt began. */
  lagMs: number
}
