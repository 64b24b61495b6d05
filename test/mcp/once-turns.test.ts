import { describe, expect, it } from 'vitest'
import { OnceTurns } from '../../src/mcp/program/once.ts'

const key = { accountId: 'acct_1', owner: 'user_a', key: 'import', code: '1' }

describe('The turns of programs with one key', () => {
  it('come one after the other, and those of another key or account at once', async () => {
    const turns = new OnceTurns()
    const first = Promise.withResolvers<string>()
    const ended: unknown[] = []
    const running = turns.take(key, undefined, () => first.promise).then((end) => ended.push(end))
    const next = turns.take(key, undefined, async () => 'second').then((end) => ended.push(end))
    ended.push(await turns.take({ ...key, key: 'other' }, undefined, async () => 'other key'))
    ended.push(await turns.take({ ...key, accountId: 'acct_2' }, undefined, async () => 'other account'))
    first.resolve('first')
    await Promise.all([running, next])
    expect(ended).toEqual(['other key', 'other account', 'first', 'second'])
  })

  it('are not waited for without end', async () => {
    const turns = new OnceTurns(20)
    const first = Promise.withResolvers<string>()
    const running = turns.take(key, undefined, () => first.promise)
    expect(await turns.take(key, undefined, async () => 'never')).toMatchObject({
      refused: { type: 'once_key_in_use', message: expect.stringContaining('import') },
    })
    first.resolve('first')
    expect(await running).toBe('first')
    expect(await turns.take(key, undefined, async () => 'second')).toBe('second')
  })

  it('are left by a caller who goes, without another one getting there too early', async () => {
    const turns = new OnceTurns()
    const first = Promise.withResolvers<string>()
    const gone = new AbortController()
    const running = turns.take(key, undefined, () => first.promise)
    const left = turns.take(key, gone.signal, async () => 'never')
    let begun = false
    const third = turns.take(key, undefined, async () => {
      begun = true
    })
    gone.abort()
    expect(await left).toMatchObject({ refused: { type: 'canceled' } })
    expect(begun).toBe(false)
    first.resolve('first')
    await Promise.all([running, third])
    expect(begun).toBe(true)
    expect(await turns.take(key, AbortSignal.abort(), async () => 'never')).toMatchObject({
      refused: { type: 'canceled' },
    })
  })

  it('pass on what the work throws, and come again afterwards', async () => {
    const turns = new OnceTurns()
    await expect(turns.take(key, undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await turns.take(key, undefined, async () => 'next')).toBe('next')
  })
})
