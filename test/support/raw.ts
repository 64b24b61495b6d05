import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The response on a connection, and whether the server closed it. */
export interface RawAnswer {
  text: string
  status: number
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
  body: any
}

export async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

/** Sends raw bytes and reads until the server closes the connection or has sent a complete response. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = await openSocket(url)
  socket.write(bytes)
  const answer = await answerOn(socket)
  socket.destroy()
  return answer
}

/** Reads a response from a connection. */
export async function answerOn(socket: Socket): Promise<RawAnswer> {
  let text = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
      if (isWhole(text)) resolve()
    })
    socket.once('close', () => resolve())
  })
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
  const isJson = header('content-type') === 'application/json'
  return { text, status: Number(head.slice(9, 12)), header, body: isJson ? JSON.parse(body) : body }
}

function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)
}
