import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { ownCertificate } from './certificate.ts'

/** A message as the server got it. */
interface Received extends Email {
  raw: Buffer
  envelope: { from: string; to: string[] }
  /** The connection was encrypted, and who logged in on it. */
  secure: boolean
  user: string | undefined
}

/** What the server says to a message once it has it: that it takes it, a code and words, or nothing at all. */
type Said = [code: number, words: string] | 'silence' | undefined
type Verdict = Said | Promise<Said>

export interface MailServer {
  url: string
  port: number
  received: Received[]
  /** Connections that were made so far. */
  connections: number
  /** What becomes of the next messages, in order; after them, each is taken. */
  verdicts: Verdict[]
  /** The answers to the next recipients. */
  recipients: [code: number, words: string][]
  /** Resolves when so many messages are there. */
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
