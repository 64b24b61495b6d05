import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outboxIn } from '../../../src/providers/mail/outbox/outbox.ts'
import { freshDirectory } from '../../database/engines.ts'
import { message } from './message.ts'

const signal = new AbortController().signal
const idOf = (number: number) => `email_01k9z6v8q2f3x7c5m1n4b0${String(number).padStart(4, '0')}`

describe('The outbox', () => {
  let directory: string
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
  })
  afterAll(() => remove())

  it('keeps messages as files that mail programs read, for the owner alone', async () => {
    const place = join(directory, 'first')
    await outboxIn(place).send(message({ subject: 'Grüße' }), signal)
    const file = join(place, `${message().id}.eml`)
    const mail = await PostalMime.parse(await readFile(file))
    expect(mail).toMatchObject({ subject: 'Grüße', to: [{ address: 'ada@example.com' }] })
    expect([mail.text?.trim(), mail.html?.trim()]).toEqual(['Thank you.', '<p>Thank you.</p>'])
    expect([(await stat(place)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('keeps a message once, however often it is sent', async () => {
    const place = join(directory, 'once')
    for (let count = 0; count < 3; count++) await outboxIn(place).send(message(), signal)
    expect(await readdir(place)).toEqual([`${message().id}.eml`])
  })

  it('removes the oldest when there are too many, those of earlier starts first', async () => {
    const place = join(directory, 'many')
    for (let count = 0; count < 3; count++) await outboxIn(place).send(message({ id: idOf(count) }), signal)
    const outbox = outboxIn(place, { room: { files: 4, bytes: 1e6 } })
    await Promise.all([5, 4, 3].map((number) => outbox.send(message({ id: idOf(number) }), signal)))
    expect((await readdir(place)).sort()).toEqual([2, 3, 4, 5].map((number) => `${idOf(number)}.eml`))
  })

  it('removes the oldest when they take too much room', async () => {
    const place = join(directory, 'large')
    const outbox = outboxIn(place, { room: { files: 100, bytes: 50_000 } })
    const text = 'x'.repeat(20_000)
    for (let count = 0; count < 5; count++) await outbox.send(message({ id: idOf(count), text }), signal)
    expect((await readdir(place)).sort()).toEqual([3, 4].map((number) => `${idOf(number)}.eml`))
  })

  it('leaves files alone that are not its own', async () => {
    const place = join(directory, 'shared')
    await mkdir(place)
    await writeFile(join(place, 'notes.txt'), 'x'.repeat(2000))
    const outbox = outboxIn(place, { room: { files: 1, bytes: 1 } })
    for (let count = 0; count < 2; count++) await outbox.send(message({ id: idOf(count) }), signal)
    expect(await readdir(place)).toEqual(['notes.txt'])
  })

  it('says so when it cannot write, so that the message is tried again', async () => {
    const place = join(directory, 'a-file')
    await writeFile(place, '')
    await expect(outboxIn(place).send(message(), signal)).rejects.toThrow()
  })
})
