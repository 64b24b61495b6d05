import { describe, expect, it } from 'vitest'
import { BodyReader } from '../../src/pipeline/body-reader.ts'

const LONGEST = 1_000_000

/** A request whose body arrives when `send` is called. */
function arriving(announced: number | null) {
  let send = (_bytes: Uint8Array): void => {}
  let end = (): void => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => controller.enqueue(bytes)
      end = () => controller.close()
    },
  })
  const request = new Request('http://a/', { method: 'POST', body, duplex: 'half' } as RequestInit)
  const header = (name: string) => (name === 'content-length' && announced !== null ? String(announced) : null)
  return { request, header, send: (bytes: Uint8Array) => send(bytes), end: () => end() }
}

type Arriving = Pick<ReturnType<typeof arriving>, 'request' | 'header'>

const read = (reader: BodyReader, { request, header }: Arriving, accountId: string) =>
  reader.read({ request, header, accountId }, (bytes) => bytes)

const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: { code: string }) => error.code,
  )

describe('Bodies that arrive slowly', () => {
  it('take at most 32 MB of memory for one account, and are given way to others', async () => {
    const reader = new BodyReader()
    const slow = Array.from({ length: 32 }, () => arriving(LONGEST))
    const reading = slow.map((one) => read(reader, one, 'a'))
    const more = arriving(1)
    expect(await refusal(read(reader, more, 'a'))).toBe('overloaded')
    const unannounced = arriving(null)
    unannounced.send(new Uint8Array(1))
    expect(await refusal(read(reader, unannounced, 'a'))).toBe('overloaded')
    const other = arriving(2)
    other.send(new Uint8Array(2))
    other.end()
    expect((await read(reader, other, 'b')).length).toBe(2)
    for (const { end } of slow) end()
    await Promise.all(reading)
    const after = arriving(3)
    after.send(new Uint8Array(3))
    after.end()
    expect((await read(reader, after, 'a')).length).toBe(3)
  })

  it('take at most 256 MB together', async () => {
    const reader = new BodyReader()
    const slow = Array.from({ length: 256 }, () => arriving(LONGEST))
    const reading = slow.map((one, index) => read(reader, one, `account ${index >> 3}`))
    const more = arriving(1)
    expect(await refusal(read(reader, more, 'another'))).toBe('overloaded')
    for (const { end } of slow) end()
    await Promise.all(reading)
  })

  it('give their room back when they break off or are too long', async () => {
    const reader = new BodyReader()
    for (let round = 0; round < 100; round++) {
      const long = arriving(null)
      for (let part = 0; part < 11; part++) long.send(new Uint8Array(100_000))
      expect(await refusal(read(reader, long, 'a'))).toBe('request_too_large')
      const broken = new Request('http://a/', {
        method: 'POST',
        body: new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }),
        duplex: 'half',
      } as RequestInit)
      const header = () => String(LONGEST)
      expect(await refusal(read(reader, { request: broken, header }, 'a'))).toBe('invalid_json')
    }
  })
})

describe('Long bodies', () => {
  const whole = (bytes: number) => {
    const one = arriving(bytes)
    one.send(new Uint8Array(bytes))
    one.end()
    return one
  }

  it('are worked on one after the other, the accounts in turn, with short ones in between', async () => {
    const reader = new BodyReader()
    const order: string[] = []
    const use = (accountId: string, bytes: number) =>
      reader.read({ ...whole(bytes), accountId }, async () => {
        order.push(`${accountId} begins`)
        await new Promise(setImmediate)
        order.push(`${accountId} ends`)
      })
    const long = [use('a', 100_000), use('a', 100_000), use('a', 100_000), use('b', 100_000)]
    await use('short', 100)
    expect(order).not.toContain('b ends')
    await Promise.all(long)
    const ofLong = order.filter((step) => !step.startsWith('short'))
    expect(ofLong).toEqual(['a', 'b', 'a', 'a'].flatMap((account) => [`${account} begins`, `${account} ends`]))
  })

  it('keep the next ones waiting for a moment only', async () => {
    const reader = new BodyReader()
    const never = reader.read({ ...whole(100_000), accountId: 'a' }, () => new Promise(() => {}))
    expect((await read(reader, whole(100_000), 'b')).length).toBe(100_000)
    void never
  })
})
