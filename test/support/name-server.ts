import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

const HEADER_BYTES = 12
const [A, AAAA, TXT] = [1, 28, 16]
const MAX_PART = 255

/** A local DNS server for TXT and A records (RFC 1035). */
export interface NameServer {
  /** The address in the format of the settings. */
  address: string
  /** TXT records by name. Each text is split into several strings, like a long one. */
  texts: Map<string, string[]>
  /** A records by name. */
  hosts: Map<string, string[]>
  /** The names of TXT queries, in order. */
  asked: string[]
  /** If true, it does not answer. */
  silent: boolean
  /** If true, it refuses AAAA queries, like some name servers. */
  refusesIpv6: boolean
  close(): Promise<void>
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const server: NameServer = {
    address: '',
    texts: new Map(),
    hosts: new Map(),
    asked: [],
    silent: false,
    refusesIpv6: false,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  socket.on('message', (query, { port, address }) => {
    const name = nameIn(query)
    const type = query.readUInt16BE(query.indexOf(0, HEADER_BYTES) + 1)
    if (type === TXT) server.asked.push(name)
    const isRefused = type === AAAA && server.refusesIpv6
    const answer = isRefused ? refusalOf(query) : answerTo(query, recordsOf(server, name, type))
    if (!server.silent) socket.send(answer, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`
  return server
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER_BYTES; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  return labels.join('.').toLowerCase()
}

/** Returns the records of a type for a name, or null if the name does not exist. */
function recordsOf({ texts, hosts }: NameServer, name: string, type: number): Buffer[] | null {
  if (!texts.has(name) && !hosts.has(name)) return null
  if (type === TXT) return (texts.get(name) ?? []).map(textRecord)
  if (type === A)
    return (hosts.get(name) ?? []).map((address) => record(A, Buffer.from(address.split('.').map(Number))))
  if (type === AAAA) return []
  throw new Error(`Records of the type ${type} were asked for`)
}

function answerTo(query: Buffer, records: Buffer[] | null): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(records ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records?.length ?? 0, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...(records ?? [])])
}

/** Returns a response with RCODE 5 (REFUSED). */
function refusalOf(query: Buffer): Buffer {
  const answer = answerTo(query, [])
  answer.writeUInt16BE(0x8185, 2)
  return answer
}

function textRecord(text: string): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < Math.max(1, text.length); at += MAX_PART) {
    const part = Buffer.from(text.slice(at, at + MAX_PART), 'latin1')
    parts.push(Buffer.from([part.length]), part)
  }
  return record(TXT, Buffer.concat(parts))
}

function record(type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(12)
  // The name is a compression pointer to the name in the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(type, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(0, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}
