/** The facts about an attempt that its HTTP headers contain. */
export interface AttemptFacts {
  id: string
  type: string
  /** The number of the attempt, from 1. */
  number: number
  /** The time of the attempt, in seconds since 1970. */
  timestamp: number
}

/** Returns the headers of an attempt, except for its signatures. */
export function unsignedHeaders({ id, type, number, timestamp }: AttemptFacts): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'commerce-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'X-Webhook-Event': type,
    'X-Webhook-Attempt': String(number),
  }
}
