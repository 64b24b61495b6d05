import { existsSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

/** The same for both servers. */
const BOOTSTRAP_TOKEN = 'a-token-of-the-first-account'

afterAll(killAll)

describe('A server whose database files are gone', () => {
  let directory: string
  let data: string
  let remove: () => Promise<void>
  let server: Server

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    data = join(directory, 'data')
    server = await startServer(environmentOf(data, { BOOTSTRAP_TOKEN }))
    expect((await post('before')).status).toBe(201)
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
    await remove()
  })

  const api = (method: string, path: string, body?: object, headers = {}) =>
    server.api(method, path, body, { token: BOOTSTRAP_TOKEN, headers })
  const post = (name: string) => api('POST', '/tags', { name })
  const database = () => join(data, 'shopwright.db')
  const readiness = async () => {
    const response = await fetch(`${server.url}/readyz`)
    return { status: response.status, body: await response.json() }
  }
  const expectRefusal = async () => {
    expect(await readiness()).toEqual({
      status: 503,
      body: { status: 'unavailable', reason: expect.stringContaining('deleted, moved or replaced') },
    })
    const refused = await post('after')
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'storage_unavailable'])
    const keyed = await api('POST', '/tags', { name: 'keyed' }, { 'Idempotency-Key': 'gone' })
    expect(keyed.status).toBe(503)
    expect(await server.tool('code_execute', 'post("/tags", name: "program")["id"]', BOOTSTRAP_TOKEN)).toMatchObject({
      error: { type: 'storage_unavailable' },
      committed: 'none',
    })
  }

  const expectWrites = async (name: string) => {
    expect((await readiness()).status).toBe(200)
    expect((await post(name)).status).toBe(201)
  }

  it.each(['', '-wal', '-shm'])(
    'notices that shopwright.db%s alone is gone, does not make it again, and writes once it is back',
    async (suffix) => {
      await rename(database() + suffix, join(directory, 'elsewhere'))
      await expectRefusal()
      expect(existsSync(database() + suffix)).toBe(false)
      await rename(join(directory, 'elsewhere'), database() + suffix)
      await expectWrites(`again${suffix}`)
    },
  )

  it('notices that another database was put in the place of its own', async () => {
    await copyFile(database(), join(directory, 'copy'))
    await rename(database(), join(directory, 'elsewhere'))
    await rename(join(directory, 'copy'), database())
    await expectRefusal()
    await rename(join(directory, 'elsewhere'), database())
    await expectWrites('in place')
  })

  it('writes again once its directory is back, and so does the next server', async () => {
    await rename(data, join(directory, 'elsewhere'))
    await expectRefusal()
    await rename(join(directory, 'elsewhere'), data)
    await expectWrites('back')
    expect(await server.stop()).toMatchObject({ code: 0 })
    server = await startServer(environmentOf(data, { BOOTSTRAP_TOKEN }))
    await expectWrites('next')
  })

  it('refuses writes and is not ready once its directory was deleted, and makes no new one', async () => {
    const before = (await api('GET', '/tags')).body.data.length
    await rm(data, { recursive: true })
    await expectRefusal()
    expect(existsSync(data)).toBe(false)
    expect((await api('GET', '/tags')).body.data).toHaveLength(before)
    expect(before).toBeGreaterThan(6)
  })
})
