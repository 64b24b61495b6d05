export interface AttemptFacts {
  id: string
  type: string
  /** Counts from 1. */
  number: number
  /** In Unix seconds. */
  timestamp: number
  subscription: string | null
}

export function unsignedHeaders({ id, type, number, timestamp, subscription }: AttemptFacts): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'commerce-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'X-Webhook-Event': type,
    'X-Webhook-Attempt': String(number),
    ...(subscription !== null && { 'X-MCP-Subscription-Id': subscription }),
  }
}
