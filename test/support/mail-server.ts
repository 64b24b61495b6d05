import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { ownCertificate } from './certificate.ts'

/** A received message. */
interface Received extends Email {
  raw: Buffer
  envelope: { from: string; to: string[] }
  /** Whether the connection was encrypted. `user` is the authenticated user. */
  secure: boolean
  user: string | undefined
}

/** The reply to a message: accepted if undefined, an error code with text, or no reply (`silence`). */
type Said = [code: number, words: string] | 'silence' | undefined
type Verdict = Said | Promise<Said>

export interface MailServer {
  url: string
  port: number
  received: Received[]
  /** The number of connections so far. */
  connections: number
  /** The replies to the next messages, in order. Messages after them are accepted. */
  verdicts: Verdict[]
  /** The replies to the next recipients. */
  recipients: [code: number, words: string][]
  /** Resolves when `count` messages have been received. */
  until(count: number): Promise<Received[]>
  close(): Promise<void>
}

/** A real SMTP server on a free port of this machine. */
export async function startMailServer(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
  const waiting = new Set<() => void>()
  const mails: MailServer = {
    url: '',
    port: 0,
    received: [],
    connections: 0,
    verdicts: [],
    recipients: [],
    until: async (count) => {
      while (mails.received.length < count) await new Promise<void>((resolve) => waiting.add(resolve))
      return mails.received
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 10,
    ...ownCertificate(),
    ...options,
    onConnect(_session, callback) {
      mails.connections += 1
      callback()
    },
    onRcptTo(_address, _session, callback) {
      const refusal = mails.recipients.shift()
      callback(refusal && coded(refusal))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
        const { secure, user } = session
        mails.received.push({ ...(await PostalMime.parse(raw)), raw, envelope, secure, user })
        for (const resolve of waiting) resolve()
        waiting.clear()
        const verdict = await mails.verdicts.shift()
        if (verdict !== 'silence') callback(verdict ? coded(verdict) : null)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  mails.port = (server.server.address() as AddressInfo).port
  mails.url = `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${mails.port}`
  return mails
}

function coded([responseCode, words]: [number, string]): Error {
  return Object.assign(new Error(words), { responseCode })
}
