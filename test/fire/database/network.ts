import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * What happens to what is sent. `silent`: nothing arrives, in either direction, and nobody is told. `answers lost`: the server hears,
 * its answers do not arrive. Both end with a reset of the connections that lost something.
 */
export type Weather = 'fair' | 'silent' | 'answers lost' | 'refused'

/** The text of a COMMIT, as the protocol sends it: with a zero at its end. A statement with a name has it the first time only. */
const COMMIT = Buffer.from('commit\0')
const PREPARED = /(s\d+)\0commit\0/

interface Pair {
  /** The name of the prepared COMMIT, between zeros, as a message names it. */
  commit?: Buffer
  client: Socket
  server: Socket
  lossy: boolean
}

/** A network between clients and a server that can be moved to another server, and spoilt. */
export class Network {
  weather: Weather = 'fair'
  /** Milliseconds that everything takes longer. */
  delayMs = 0
  /** Connections that are cut at their next COMMIT: `before` it reaches the server, or `after`, before its answer. */
  cuts: { at: 'before' | 'after'; left: number } = { at: 'after', left: 0 }
  /** How many connections were cut at a COMMIT. */
  cutCommits = 0
  #target: number
  readonly #pairs = new Set<Pair>()
  /** What is still on its way to a socket because of `delayMs`. */
  readonly #late = new Map<Socket, Promise<void>>()
  #listener: Server | undefined

  constructor(target: number) {
    this.#target = target
  }

  async listen(): Promise<number> {
    const listener = createServer({ noDelay: true }, (client) => this.#accept(client))
    this.#listener = listener
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('The network has no port.')
    return address.port
  }

  /** New connections go to another server; the old ones are cut. */
  moveTo(port: number): void {
    this.#target = port
    this.reset()
  }

  /** Cuts all connections, without a word of goodbye. */
  reset(): void {
    for (const pair of this.#pairs) this.#cut(pair)
  }

  /** Fair again. Connections that lost something are reset. */
  clear(): void {
    this.weather = 'fair'
    this.delayMs = 0
    for (const pair of this.#pairs) if (pair.lossy) this.#cut(pair)
  }

  async close(): Promise<void> {
    this.reset()
    await new Promise((resolve) => (this.#listener ? this.#listener.close(resolve) : resolve(null)))
  }

  #accept(client: Socket): void {
    if (this.weather === 'refused') {
      client.resetAndDestroy()
      return
    }
    const server = connect({ port: this.#target, host: '127.0.0.1', noDelay: true })
    const pair = { client, server, lossy: false }
    this.#pairs.add(pair)
    client.on('data', (bytes: Buffer) => this.#toServer(pair, bytes))
    server.on('data', (bytes: Buffer) => this.#carry(pair, server, client, bytes))
    for (const socket of [client, server]) {
      socket.on('error', () => this.#cut(pair))
      socket.on('close', () => this.#closed(pair, socket))
    }
  }

  /** While nothing arrives, neither does the end of a connection. */
  #closed(pair: Pair, socket: Socket): void {
    if (this.weather === 'silent' || (this.weather === 'answers lost' && socket === pair.server)) pair.lossy = true
    else this.#cut(pair)
  }

  #toServer(pair: Pair, bytes: Buffer): void {
    if (commits(pair, bytes) && this.cuts.left > 0) {
      this.cuts.left--
      this.cutCommits++
      if (this.cuts.at === 'after' && !pair.server.destroyed) endAfter(pair, bytes)
      else this.#cut(pair)
      return
    }
    this.#carry(pair, pair.client, pair.server, bytes)
  }

  #carry(pair: Pair, from: Socket, to: Socket, bytes: Buffer): void {
    if (this.weather === 'silent' || (this.weather === 'answers lost' && from === pair.server)) {
      pair.lossy = true
      return
    }
    const before = this.#late.get(to)
    if (this.delayMs === 0 && !before) {
      this.#write(from, to, bytes)
      return
    }
    // In their order, also when the network becomes faster meanwhile.
    const turn = Promise.all([before, delay(this.delayMs)]).then(() => {
      this.#write(from, to, bytes)
      if (this.#late.get(to) === turn) this.#late.delete(to)
    })
    this.#late.set(to, turn)
  }

  #write(from: Socket, to: Socket, bytes: Buffer): void {
    if (to.destroyed || to.write(bytes)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  #cut(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.client.resetAndDestroy()
    pair.server.resetAndDestroy()
  }
}

/** Whether the bytes of a client hold a COMMIT, as a text or by the name under which this connection has prepared it. */
function commits(pair: Pair, bytes: Buffer): boolean {
  if (bytes.includes(COMMIT)) {
    const [, name] = PREPARED.exec(bytes.toString('latin1')) ?? []
    if (name !== undefined) pair.commit = Buffer.from(`\0${name}\0`)
    return true
  }
  return pair.commit !== undefined && bytes.includes(pair.commit)
}

/** Sends the last bytes. The server closes the connection when it has read them, and only then is the client cut; the answer is lost. */
function endAfter({ server }: Pair, bytes: Buffer): void {
  server.removeAllListeners('data')
  server.resume()
  server.end(bytes)
}
