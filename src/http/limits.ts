/** What connections may take, whoever they are from. Each answer to a request that breaks a limit says so. */
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
  /** Nobody has a reason to send headers slowly. */
  headersMs: 10_000,
  /** A body of 1 MB over a connection of 300 kbit/s. What trickles in more slowly ends here. */
  requestMs: 30_000,
  /** An upload of 500 MB over a connection of 1.2 Mbit/s, for those who hold the address of one. */
  uploadMs: 60 * 60_000,
  /** A connection on which nothing moves. The longest silence of ours is that of jobs that an answer waits for, 10 s. */
  silentMs: 60_000,
  /** An idle connection takes about 10 KB. */
  connections: 4_096,
  /** Agents of one office, each with a few connections. */
  connectionsOfClient: 256,
  /** Answers that a client has asked for and does not read. */
  unreadBytesOfClient: 64 * 1024 * 1024,
}
