/** What the headers of an attempt say of it. */
export interface Described {
  id: string
  type: string
  /** From 1. */
  number: number
  /** When it was sent, in seconds since 1970. */
  timestamp: number
}

/** The headers of an attempt but for its signatures. */
export function unsignedHeaders({ id, type, number, timestamp }: Described): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'commerce-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'X-Webhook-Event': type,
    'X-Webhook-Attempt': String(number),
  }
}
