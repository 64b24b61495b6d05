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

const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: { code: string }) => error.code,
  )

describe('Bodies that arrive slowly', () => {
  it('take at most 32 MB of memory for one account, and are given way to others', async () => {
    const reader = new BodyReader()
    const slow = Array.from({ length: 32 }, () => arriving(LONGEST))
    const reading = slow.map(({ request, header }) => reader.read(request, header, 'a'))
    const more = arriving(1)
    expect(await refusal(reader.read(more.request, more.header, 'a'))).toBe('overloaded')
    const unannounced = arriving(null)
    unannounced.send(new Uint8Array(1))
    expect(await refusal(reader.read(unannounced.request, unannounced.header, 'a'))).toBe('overloaded')
    const other = arriving(2)
    other.send(new Uint8Array(2))
    other.end()
    expect((await reader.read(other.request, other.header, 'b')).length).toBe(2)
    for (const { end } of slow) end()
    await Promise.all(reading)
    const after = arriving(3)
    after.send(new Uint8Array(3))
    after.end()
    expect((await reader.read(after.request, after.header, 'a')).length).toBe(3)
  })

  it('take at most 256 MB together', async () => {
    const reader = new BodyReader()
    const slow = Array.from({ length: 256 }, () => arriving(LONGEST))
    const reading = slow.map(({ request, header }, index) => reader.read(request, header, `account ${index >> 3}`))
    const more = arriving(1)
    expect(await refusal(reader.read(more.request, more.header, 'another'))).toBe('overloaded')
    for (const { end } of slow) end()
    await Promise.all(reading)
  })

  it('give their room back when they break off or are too long', async () => {
    const reader = new BodyReader()
    for (let round = 0; round < 100; round++) {
      const { request, header, send } = arriving(null)
      for (let part = 0; part < 11; part++) send(new Uint8Array(100_000))
      expect(await refusal(reader.read(request, header, 'a'))).toBe('request_too_large')
      const broken = new Request('http://a/', {
        method: 'POST',
        body: new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }),
        duplex: 'half',
      } as RequestInit)
      expect(await refusal(reader.read(broken, () => String(LONGEST), 'a'))).toBe('invalid_json')
    }
  })
})
