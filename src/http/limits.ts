/** Limits that apply to every connection, from any client. The error response names the limit that was exceeded. */
export interface ConnectionLimits {
  headerBytes: number
  headersMs: number
  requestMs: number
  uploadMs: number
  silentMs: number
  connections: number
  connectionsOfClient: number
  unreadBytesOfClient: number
}

export const connectionLimits: ConnectionLimits = {
  /** URL and headers together. The longest URL of the API has a few filters of at most 200 characters each. */
  headerBytes: 16 * 1024,
  /** Legitimate clients do not send headers slowly. */
  headersMs: 10_000,
  /** Enough for a body of 1 MB at 300 kbit/s; slower requests are ended. */
  requestMs: 30_000,
  /** Enough for an upload of 500 MB at 1.2 Mbit/s, by clients with an upload address. */
  uploadMs: 60 * 60_000,
  /** The time without traffic after which a connection is closed. Our own longest silence is 10 s, while a response waits for jobs. */
  silentMs: 60_000,
  /** An idle connection takes about 10 KB. */
  connections: 4_096,
  /** Enough for the agents of one office, each with a few connections. */
  connectionsOfClient: 256,
  /** The maximum size of a client's unread responses. */
  unreadBytesOfClient: 64 * 1024 * 1024,
}
