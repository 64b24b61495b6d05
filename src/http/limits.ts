/** Limits of connections. Where an error response is possible, it names the limit that was exceeded. */
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
  /** The maximum size of the URL and the headers. The longest URL of the API has a few filters of at most 200 characters each. */
  headerBytes: 16 * 1024,
  /** The maximum time for the headers to arrive. Legitimate clients do not send them slowly. */
  headersMs: 10_000,
  /** The maximum time for a request to arrive, enough for a body of 1 MB at 300 kbit/s. */
  requestMs: 30_000,
  /** The maximum time for a file upload, enough for 500 MB at 1.2 Mbit/s. It applies only to clients with an upload URL. */
  uploadMs: 60 * 60_000,
  /** The maximum time without traffic. The server itself is silent for at most 10 s, while a response waits for jobs. */
  silentMs: 60_000,
  /** The maximum number of connections. An idle one takes about 10 KB. */
  connections: 4_096,
  /** The maximum number of connections of one client, enough for an office with several agents. */
  connectionsOfClient: 256,
  /** The maximum size of the responses that a client has not read yet. */
  unreadBytesOfClient: 64 * 1024 * 1024,
}
