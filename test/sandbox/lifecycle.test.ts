import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox/api.ts'
import { answering, errorOf, execute, openRoom, resultOf } from './room.ts'

describe('an open sandbox', () => {
  let room: Sandbox
  beforeAll(async () => {
    room = await openRoom({ deadlineMs: 400, limits: { calls: 10, answerBytes: 200_000, requestBytes: 10_000 } })
  })
  afterAll(() => room.close())

  it('stops an endless program at its deadline and keeps what it printed', async () => {
    const outcome = await execute(room, 'puts "here"\nget "/products"\nloop { }')
    expect(outcome).toMatchObject({ ok: false, error: { type: 'deadline_exceeded', line: null }, output: 'here\n' })
    expect(outcome.ok ? '' : outcome.error.message).toBe(
      'The program ran longer than 0.4 seconds and was stopped after 1 call. Its last call was on line 2.',
    )
    expect(outcome.durationMs).toBeGreaterThanOrEqual(399)
    expect(await resultOf(room, '1')).toBe(1)
  })

  it('stops a program that waits for an answer', async () => {
    expect(await errorOf(room, 'get "/products"', { call: () => new Promise(() => {}) })).toMatchObject({
      type: 'deadline_exceeded',
    })
    expect(await resultOf(room, '1')).toBe(1)
  })

  it('a late answer goes to nobody', async () => {
    const call = () => setTimeout(500, { body: 'late', refused: false })
    const late = await Promise.all([1, 2].map(() => execute(room, 'get "/products"', { call })))
    await setTimeout(300)
    expect(late.map((outcome) => outcome.ok)).toEqual([false, false])
    expect(await resultOf(room, 'get "/products"', { call: answering('mine') })).toBe('mine')
  })

  it('an aborted program is canceled', async () => {
    const controller = new AbortController()
    const running = execute(room, 'loop { }', { signal: controller.signal, deadlineMs: 60_000 })
    await setTimeout(50)
    controller.abort()
    expect(await running).toMatchObject({ ok: false, error: { type: 'canceled' } })
    expect(await errorOf(room, '1', { signal: controller.signal })).toMatchObject({ type: 'canceled' })
    expect(await resultOf(room, '1')).toBe(1)
  })

  it('a host that cannot answer ends the program, even one that rescues', async () => {
    const call = async () => {
      throw new Error('down')
    }
    const error = await errorOf(room, 'begin\n  get "/products"\nrescue Exception\nend\n5', { call })
    expect(error).toMatchObject({ type: 'host_error', line: 2 })
    expect(error.message).toContain('down')
    expect(await errorOf(room, 'get "/products"', { call: undefined as never })).toMatchObject({ type: 'host_error' })
  })

  it('limits calls, requests and answers', async () => {
    expect(await errorOf(room, '11.times { get "/products" }')).toMatchObject({ type: 'call_limit' })
    expect((await execute(room, '10.times { get "/products" }')).ok).toBe(true)
    expect(await errorOf(room, 'post "/products", a: "x" * 20_000')).toMatchObject({ type: 'ruby_error' })
    const call = answering('x'.repeat(150_000))
    expect(await resultOf(room, 'get("/products").size', { call })).toBe(150_000)
    expect(await errorOf(room, 'get "/products"', { call: answering('x'.repeat(300_000)) })).toMatchObject({
      type: 'host_error',
    })
  })
})

it('a full queue answers the newest of the longest line, and queue keys take turns', async () => {
  const room = await openRoom({ workers: 1, queueLimit: 6 })
  const order: string[] = []
  const start = (queueKey: string) =>
    execute(room, '1', { queueKey }).then((outcome) => void order.push(outcome.ok ? queueKey : 'busy'))
  const running = execute(room, 'get "/products"', { call: () => setTimeout(100, { body: 1, refused: false }) })
  await Promise.all([...['a', 'a', 'a', 'a', 'b', 'c', 'd'].map(start), running])
  expect(order).toEqual(['busy', 'a', 'b', 'c', 'd', 'a', 'a'])
  await room.close()
})

it('an account has its own limit in the queue', async () => {
  const room = await openRoom({ workers: 1, limits: { queuePerAccount: 2 } })
  const running = execute(room, 'get "/products"', { call: () => setTimeout(100, { body: 1, refused: false }) })
  const start = async (queueKey: string) => (await execute(room, '1', { queueKey })).ok
  expect(await Promise.all(['a', 'a', 'a', 'b'].map(start))).toEqual([true, true, false, true])
  await running
  await room.close()
})

describe('while programs of one account loop on every worker', () => {
  const looping = async (use: (room: Sandbox) => Promise<void>) => {
    const room = await openRoom({ workers: 2 })
    const gone = new AbortController()
    const loops = Array.from({ length: 20 }, () =>
      execute(room, 'loop {}', { queueKey: 'looping', signal: gone.signal, deadlineMs: 60_000 }),
    )
    await use(room)
    gone.abort()
    for (const outcome of await Promise.all(loops)) expect(outcome).toMatchObject({ error: { type: 'canceled' } })
    expect(await resultOf(room, '1 + 1', { queueKey: 'looping' })).toBe(2)
    await room.close()
  }

  it('those of others run', () =>
    looping(async (room) => {
      for (let number = 0; number < 20; number++) expect(await resultOf(room, String(number))).toBe(number)
      const together = Array.from({ length: 20 }, (_, number) =>
        resultOf(room, String(number), { queueKey: `other ${number}` }),
      )
      expect(await Promise.all(together)).toEqual(together.map((_, number) => number))
    }))

  it('the second program of another runs, when the first one ran before the loops', async () => {
    const room = await openRoom({ workers: 1 })
    const gone = new AbortController()
    const first = execute(room, 'get "/products"', { call: () => setTimeout(200, { body: 1, refused: false }) })
    const loop = execute(room, 'loop {}', { queueKey: 'looping', signal: gone.signal, deadlineMs: 60_000 })
    const second = resultOf(room, '2')
    expect([(await first).ok, await second]).toEqual([true, 2])
    gone.abort()
    await loop
    await room.close()
  })

  it('those of others run while several accounts whose programs were killed loop as well', () =>
    looping(async (room) => {
      const killed = ['killed 1', 'killed 2', 'killed 3']
      for (const queueKey of killed) await errorOf(room, 'loop {}', { queueKey, deadlineMs: 50 })
      const gone = new AbortController()
      const loops = killed.map((queueKey) =>
        execute(room, 'loop {}', { queueKey, signal: gone.signal, deadlineMs: 60_000 }),
      )
      for (let number = 0; number < 5; number++) expect(await resultOf(room, String(number))).toBe(number)
      gone.abort()
      for (const outcome of await Promise.all(loops)) expect(outcome).toMatchObject({ error: { type: 'canceled' } })
    }))

  it('a program of another that is killed leaves a worker for the next', () =>
    looping(async (room) => {
      expect(await errorOf(room, 'loop {}', { deadlineMs: 50 })).toMatchObject({ type: 'deadline_exceeded' })
      expect(await resultOf(room, '2')).toBe(2)
    }))
})

it('a queued program can be aborted', async () => {
  const room = await openRoom({ workers: 1 })
  const controller = new AbortController()
  const running = execute(room, 'get "/products"', { call: () => setTimeout(100, { body: 1, refused: false }) })
  const queued = execute(room, '1', { signal: controller.signal })
  controller.abort()
  expect(await queued).toMatchObject({ ok: false, error: { type: 'canceled' }, durationMs: 0 })
  expect((await running).ok).toBe(true)
  await room.close()
})

it('closing cancels what runs and what waits', async () => {
  const room = await openRoom({ workers: 1 })
  const outcomes = ['loop { }', '1'].map((code) => execute(room, code))
  await room.close()
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ error: { type: 'canceled' } })
  expect(await execute(room, '1')).toMatchObject({ error: { type: 'canceled' } })
})

describe('the cache', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-cache-'))
  const works = async (cacheDirectory: string | null) => {
    const room = await openRoom({ workers: 1, cacheDirectory })
    expect(await resultOf(room, '1 + 1')).toBe(2)
    await room.close()
  }
  const stored = () => join(directory, readdirSync(directory)[0]!)
  afterAll(() => rmSync(directory, { recursive: true }))

  it('is written once, whole', async () => {
    await Promise.all([works(directory), works(directory)])
    expect(readdirSync(directory)).toHaveLength(1)
    await works(directory)
  })

  it('is built anew when it is truncated or changed', async () => {
    const whole = readFileSync(stored())
    truncateSync(stored(), 1_000_000)
    await works(directory)
    const changed = Buffer.from(whole)
    changed[changed.length - 5_000]! ^= 1
    writeFileSync(stored(), changed)
    await works(directory)
    expect(readFileSync(stored()).length).toBeGreaterThan(1_000_000)
    writeFileSync(stored(), '')
    await works(directory)
  })

  it('is not needed', async () => {
    await works('/dev/null/cannot')
    await works(null)
  })
})
