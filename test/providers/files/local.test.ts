import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LocalFiles } from '../../../src/providers/files/local/local.ts'
import { FileTooLargeError, KeyTakenError } from '../../../src/providers/files/provider.ts'
import { freshDirectory } from '../../database/engines.ts'

const CHUNK = new Uint8Array(65_536).fill(7)

async function* chunks(count: number, of = CHUNK) {
  for (let made = 0; made < count; made++) yield of
}

describe('The store in a directory', () => {
  let directory: string
  let remove: () => Promise<void>
  let files: LocalFiles
  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    files = new LocalFiles(directory)
  })
  afterAll(() => remove())

  it('keeps what is written once, and never writes over it', async () => {
    const maxBytes = 10 * CHUNK.length
    expect(await files.write('acct_1/file_1', chunks(3), { maxBytes })).toBe(3 * CHUNK.length)
    await expect(files.write('acct_1/file_1', chunks(1), { maxBytes })).rejects.toThrow(KeyTakenError)
    expect(await files.inspect('acct_1/file_1', { maxBytes })).toMatchObject({ size: 3 * CHUNK.length, type: null })
    expect(await files.inspect('acct_1/file_2', { maxBytes })).toBeNull()
    expect(await files.read('acct_1/file_2')).toBeNull()
  })

  it('keeps nothing of what is too large, or breaks off', async () => {
    const broken = async function* () {
      yield CHUNK
      throw new Error('broken off')
    }
    const maxBytes = 2 * CHUNK.length
    await expect(files.write('acct_1/large', chunks(3), { maxBytes })).rejects.toThrow(FileTooLargeError)
    await expect(files.write('acct_1/broken', broken(), { maxBytes })).rejects.toThrow('broken off')
    expect(await readdir(join(directory, 'acct_1'))).toEqual(['file_1'])
    expect(await readdir(join(directory, 'incoming'))).toEqual([])
  })

  it('holds no whole file in memory', async () => {
    // Buffers count among the external memory.
    const held = () => process.memoryUsage().external + process.memoryUsage().heapUsed
    const before = held()
    let most = 0
    const watched = async function* () {
      for (let made = 0; made < 4_000; made++) {
        most = Math.max(most, held() - before)
        yield new Uint8Array(CHUNK)
      }
    }
    const size = await files.write('acct_1/film', watched(), { maxBytes: 4_000 * CHUNK.length })
    expect(size).toBe(262_144_000)
    expect(most).toBeLessThan(size / 2)
    await files.remove('acct_1/film')
  })

  it('has no key that leads elsewhere', async () => {
    for (const key of ['../secret', 'acct_1/../../secret', 'acct_1', 'acct_1/a/b', '/etc/passwd'])
      await expect(files.read(key)).rejects.toThrow('is not the key')
    await expect(files.removeAccount('..')).rejects.toThrow('is not the name')
  })

  it('removes what a crash has left, and nothing that is under way', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(directory, 'incoming', name))
    for (const path of [old!, young!]) await writeFile(path, 'half')
    await utimes(old!, 0, 0)
    await files.sweep()
    expect(await readdir(join(directory, 'incoming'))).toEqual(['young'])
  })

  it('loses all of one account, and nothing of another', async () => {
    await files.write('acct_2/file_1', chunks(1), { maxBytes: CHUNK.length })
    await files.removeAccount('acct_1')
    expect((await readdir(directory)).sort()).toEqual(['acct_2', 'incoming'])
  })
})
