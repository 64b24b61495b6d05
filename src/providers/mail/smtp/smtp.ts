import { Socket } from 'node:net'
import { CircuitBreaker } from '../../../concurrency/circuit-breaker.ts'
import { composed } from '../compose.ts'
import { type MailEntry, type MailProvider, MailRefusedError, type Message } from '../provider.ts'

const CONNECT_MS = 10_000
/** The time without data after which a connection is closed. Some servers scan a message for seconds before they accept it. */
const SILENCE_MS = 20_000
const MAX_CONNECTIONS = 4
const IDLE_MS = 60_000
/** The time that a message in progress has to finish after an abort, because an interrupted message might be sent unrecorded. */
const GRACE_MS = 2_000
const MAX_REASON = 500

/** SMTP commands whose refusal concerns the message, not the connection or the password. */
const ABOUT_THE_MESSAGE: readonly unknown[] = ['MAIL FROM', 'RCPT TO', 'DATA']
/** The codes for a refused login (RFC 4954). The message is retried after these, because the operator can fix the login. */
const ABOUT_THE_SENDER: readonly unknown[] = [530, 534, 535, 538]

export interface SmtpSettings {
  SMTP_URL?: string | undefined
}

export const smtp: MailEntry<SmtpSettings> = {
  setUp: 'Set SMTP_URL and MAIL_FROM, and restart the service.',
  open: ({ SMTP_URL: url }) => (url === undefined ? null : smtpServer(url)),
}

/** Sends through an SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. */
export function smtpServer(url: string): MailProvider {
  return new SmtpServer(url)
}

class SmtpServer implements MailProvider {
  readonly sends = true
  readonly reason = 'A mail server sends them.'
  readonly destination = 'sent by the mail server of SMTP_URL'
  readonly #url: string
  readonly #probing = new CircuitBreaker()
  #pool: ReturnType<typeof openPool> | null = null
  #checking: Socket | null = null
  #closed = false

  constructor(url: string) {
    this.#url = url
  }

  async send(message: Message, signal: AbortSignal): Promise<void> {
    this.#pool ??= openPool(this.#url)
    const pool = await this.#pool
    const { late, settled } = delayedAbort(signal)
    const sending = () => pool.sendMail({ ...composed(message), signal: late }).catch(explain)
    await this.#probing.run(sending, isOutage).finally(settled)
  }

  async check(): Promise<void> {
    const { createTransport } = await import('nodemailer')
    this.#checking = new Socket()
    const transport = createTransport({ ...optionsOf(this.#url), socket: this.#checking })
    await transport.verify().catch((error) => {
      if (!this.#closed) throw error
    })
  }

  close(): void {
    this.#closed = true
    this.#checking?.destroy()
    this.#pool?.then((pool) => pool.close({ force: true }))
  }
}

/** Returns a signal that aborts `GRACE_MS` after `signal`, and a function that cancels this. */
function delayedAbort(signal: AbortSignal): { late: AbortSignal; settled: () => void } {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(signal.reason), GRACE_MS)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  const settled = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
  }
  return { late: controller.signal, settled }
}

/** Opens the connections. The library loads with the first message, because it is large. */
async function openPool(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...optionsOf(url),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    idleTimeout: IDLE_MS,
    // Retries once after the server closed an idle connection; the job retries after other failures.
    maxRequeues: 1,
  })
}

function optionsOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  const near = isThisMachine(host)
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Never sends a password unencrypted over a network, even if the server offers no TLS.
    requireTLS: username !== '' && !near,
    // A mail server on this machine often has a self-signed certificate, and no network lies in between.
    tls: { rejectUnauthorized: !near },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

interface SmtpError extends Error {
  command?: string
  response?: string
  responseCode?: number
}

function explain(error: SmtpError): never {
  if (isRefusal(error)) throw new MailRefusedError(`The mail server refused it: ${reasonOf(error)}`, { cause: error })
  throw error
}

function isRefusal({ command, responseCode = 0 }: SmtpError): boolean {
  return ABOUT_THE_MESSAGE.includes(command) && responseCode >= 500 && !ABOUT_THE_SENDER.includes(responseCode)
}

function reasonOf({ response, message }: SmtpError): string {
  return (response ?? message).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON)
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && !(error instanceof MailRefusedError) && !('responseCode' in error)
}
