import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MailRefusedError, type Message } from '../../../src/providers/mail/provider.ts'
import { smtpServer } from '../../../src/providers/mail/smtp/smtp.ts'
import { ownCertificate } from '../../support/certificate.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { message } from './message.ts'

const certificate = ownCertificate()
const LOGIN: Parameters<typeof startMailServer>[0] = {
  ...certificate,
  authOptional: false,
  onAuth: ({ username, password }, _session, callback) =>
    username === 'ada@shop' && password === 'p&ss:w/rd'
      ? callback(null, { user: username })
      : callback(new Error('Wrong password')),
}
/** This machine by a name that does not say so. */
const ELSEWHERE = '0.0.0.0'
const CREDENTIALS = `${encodeURIComponent('ada@shop')}:${encodeURIComponent('p&ss:w/rd')}`

describe('The mail server of the settings', () => {
  const open: { close(): unknown }[] = []
  const server = async (options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> => {
    const started = await startMailServer(options)
    open.push(started)
    return started
  }
  const provider = (url: string) => {
    const made = smtpServer(url)
    open.push(made)
    return made
  }
  const forever = new AbortController().signal
  const send = (url: string, values?: Partial<Message>, signal = forever) => provider(url).send(message(values), signal)

  beforeAll(() => setDefaultCACertificates([...getCACertificates(), certificate.cert]))
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  })

  it('gets a message with both bodies, its sender and where replies go', async () => {
    const mails = await server()
    await send(mails.url)
    const [mail] = mails.received
    expect(mail).toMatchObject({
      envelope: { from: 'shop@mail.example', to: ['ada@example.com'] },
      from: { name: 'Ada’s Books', address: 'shop@mail.example' },
      to: [{ address: 'ada@example.com' }],
      replyTo: [{ address: 'help@example.com' }],
      subject: 'Your order',
      messageId: '<email_01k9z6v8q2f3x7c5m1n4b0r8ta@mail.example>',
      date: '2026-03-01T10:00:00.000Z',
    })
    expect([mail!.text?.trim(), mail!.html?.trim()]).toEqual(['Thank you.', '<p>Thank you.</p>'])
    const headers = Object.fromEntries(mail!.headers.map(({ key, value }) => [key, value]))
    expect(headers['auto-submitted']).toBe('auto-generated')
    expect(headers['x-mailer']).toBeUndefined()
  })

  it('gets the same bytes at every attempt', async () => {
    const mails = await server()
    await send(mails.url)
    await send(mails.url)
    expect(mails.received[0]!.raw.equals(mails.received[1]!.raw)).toBe(true)
  })

  it('gets names, subjects and addresses in any script', async () => {
    const mails = await server()
    const subject = `Füße, 漢字 und 🎉 ${'sehr '.repeat(30)}lang`
    const from = { name: 'Bücher "Ädå", 本屋 <GmbH>', address: 'laden@bücher.example' }
    await send(mails.url, { subject, from, to: 'jörg@müller.example', text: '漢字 – ok' })
    const [mail] = mails.received
    expect(mail).toMatchObject({ subject, from: { name: from.name } })
    expect(mail!.text?.trim()).toBe('漢字 – ok')
    expect(mail!.raw.toString()).toMatch(/^To: jörg@müller\.example\r$/m)
    expect(mail!.raw.toString()).toMatch(/<laden@xn--bcher-kva\.example>\r$/m)
    const ascii = await server()
    await send(ascii.url, { to: 'jorg@müller.example', from: { ...from, name: 'Laden' } })
    expect(ascii.received[0]!.raw.toString()).toMatch(/^To: jorg@xn--mller-kva\.example\r$/m)
    expect(ascii.received[0]!.raw.every((byte) => byte < 128)).toBe(true)
  })

  it('gets no header that a name or a subject smuggles in', async () => {
    const mails = await server()
    const evil = 'Shop\r\nBcc: victim@example.com\r\n\r\nHello'
    await send(mails.url, { from: { name: evil, address: 'shop@mail.example' }, subject: evil, text: '.\r\n.\r\nQUIT' })
    const [mail] = mails.received
    expect(mail!.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail!.envelope.to).toEqual(['ada@example.com'])
    expect(mail!.text?.replaceAll('\r\n', '\n').trim()).toBe('.\n.\nQUIT')
  })

  it('is spoken to in TLS from the start, and logged in to', async () => {
    const mails = await server({ ...LOGIN, secure: true })
    await send(`smtps://${CREDENTIALS}@${ELSEWHERE}:${mails.port}`)
    expect(mails.received).toMatchObject([{ secure: true, user: 'ada@shop' }])
  })

  it('is spoken to in TLS when it offers that', async () => {
    const mails = await server(LOGIN)
    await send(`smtp://${CREDENTIALS}@${ELSEWHERE}:${mails.port}`)
    expect(mails.received).toMatchObject([{ secure: true, user: 'ada@shop' }])
  })

  it.each(['smtp', 'smtps'])('is told nothing over %s when its certificate is not to be trusted', async (protocol) => {
    const mails = await server({ ...ownCertificate(), secure: protocol === 'smtps' })
    await expect(send(`${protocol}://${ELSEWHERE}:${mails.port}`)).rejects.toThrow(/certificate/)
    expect(mails.received).toEqual([])
  })

  it('may have any certificate on this machine', async () => {
    const mails = await server({ ...ownCertificate(), secure: true })
    await send(`smtps://localhost:${mails.port}`)
    expect(mails.received).toHaveLength(1)
  })

  it('is told no password over a network in the clear', async () => {
    const mails = await server({ ...LOGIN, disabledCommands: ['STARTTLS'] })
    await expect(send(`smtp://${CREDENTIALS}@${ELSEWHERE}:${mails.port}`)).rejects.toThrow(/STARTTLS/)
    expect(mails.received).toEqual([])
  })

  it('may take no message for a wrong password, which is no message’s fault', async () => {
    const mails = await server({ ...LOGIN, secure: true })
    const failure = send(`smtps://ada:wrong@localhost:${mails.port}`)
    await expect(failure).rejects.not.toBeInstanceOf(MailRefusedError)
    await expect(failure).rejects.toThrow(/Wrong password/)
  })

  it.each([
    ['recipient', 550],
    ['message', 552],
    ['message', 554],
  ])('refuses a %s for good with %d', async (what, code) => {
    const mails = await server()
    if (what === 'recipient') mails.recipients.push([code, 'No\n such   user'])
    else mails.verdicts.push([code, 'No such user'])
    const failure = send(mails.url)
    await expect(failure).rejects.toBeInstanceOf(MailRefusedError)
    await expect(failure).rejects.toThrow(`The mail server refused it: ${code} No such user`)
  })

  it.each([421, 451, 452])('refuses a message for now with %d', async (code) => {
    const mails = await server()
    mails.verdicts.push([code, 'Later, please'])
    const sender = provider(mails.url)
    const failure = sender.send(message(), forever)
    await expect(failure).rejects.not.toBeInstanceOf(MailRefusedError)
    await expect(failure).rejects.toThrow('Later, please')
    await sender.send(message(), forever)
    expect(mails.received).toHaveLength(2)
  })

  it('may take no message for want of a login, which is no message’s fault', async () => {
    const mails = await server({ ...LOGIN, disabledCommands: ['STARTTLS'] })
    await expect(send(mails.url)).rejects.not.toBeInstanceOf(MailRefusedError)
  })

  it('keeps one connection for many messages', async () => {
    const mails = await server()
    const sender = provider(mails.url)
    for (let count = 0; count < 5; count++) await sender.send(message(), forever)
    expect([mails.received.length, mails.connections]).toEqual([5, 1])
  })

  it('is left when the attempt is over, however slowly it speaks', async () => {
    const dripping = await raw((socket) => {
      socket.write('220-')
      const timer = setInterval(() => socket.write('.'), 20)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
    })
    await expect(send(dripping.url, {}, AbortSignal.timeout(300))).rejects.toThrow(/abort/i)
  })

  it('holds up one message at a time while it does not answer, and none once it does', async () => {
    let silent = true
    const mails = await server()
    const front = await raw((socket) => {
      if (silent) return void socket.destroy()
      forwardTo(mails.port, socket)
    })
    const sender = provider(front.url)
    await expect(sender.send(message(), forever)).rejects.toThrow()
    const both = await Promise.allSettled([sender.send(message(), forever), sender.send(message(), forever)])
    expect(both.map((one) => one.status === 'rejected' && String(one.reason.message))).toContain(
      'The server is not responding; another call is checking it.',
    )
    silent = false
    await sender.send(message(), forever)
    await Promise.all([1, 2, 3].map(() => sender.send(message(), forever)))
    expect(mails.received).toHaveLength(4)
  })

  it('is not waited for when the service closes', async () => {
    const mails = await server()
    mails.verdicts.push('silence')
    const sender = provider(mails.url)
    const outcome = sender.send(message(), forever).catch((error: Error) => error)
    await mails.until(1)
    sender.close()
    expect(await outcome).toBeInstanceOf(Error)
  })

  /** A server that speaks as the test says. */
  async function raw(onConnection: (socket: Socket) => void): Promise<{ url: string }> {
    const listening = createServer(onConnection)
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    open.push({ close: () => listening.close() })
    return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}` }
  }
})

function forwardTo(port: number, socket: Socket): void {
  const other = connect(port, '127.0.0.1')
  socket.pipe(other).pipe(socket)
  for (const end of [socket, other]) end.on('error', () => {})
}
