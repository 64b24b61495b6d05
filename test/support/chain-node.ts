import { createServer, type Server } from 'node:http'

/** The fault of a request: `lost` carries it out but does not answer; `down` does neither. */
type Fault = 'lost' | 'down'

/** A proxy for a node of the chain that simulates faults. */
export class ChainNode {
  readonly #target: string
  readonly #server: Server
  readonly #faults = new Map<string, Fault>()
  readonly #held = new Map<string, { reached: () => void; released: Promise<void> }>()

  constructor(target: string) {
    this.#target = target
    this.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const { method } = JSON.parse(body) as { method: string }
      const held = this.#held.get(method)
      held?.reached()
      await held?.released
      const fault = this.#faults.get(method) ?? this.#faults.get('*')
      if (fault === 'down') return response.destroy()
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(this.#target, { method: 'POST', headers, body })
      if (fault === 'lost') return response.destroy()
      response.writeHead(answer.status, headers).end(await answer.text())
    })
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  /** Makes requests of a method fail; `*` matches every method. */
  fail(method: string, fault: Fault): void {
    this.#faults.set(method, fault)
  }

  recover(): void {
    this.#faults.clear()
  }

  /** Delays requests of a method until `release`. `reached` resolves when the first one arrives. */
  hold(method: string): { reached: Promise<void>; release(): void } {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.#held.set(method, { reached: reached.resolve, released: released.promise })
    const release = () => {
      this.#held.delete(method)
      released.resolve()
    }
    return { reached: reached.promise, release }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
