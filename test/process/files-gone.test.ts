import { existsSync } from 'node:fs'
import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

afterAll(killAll)

describe('A server whose database files are gone', () => {
  let directory: string
  let data: string
  let remove: () => Promise<void>
  let server: Server

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
    data = join(directory, 'data')
    server = await startServer(environmentOf(data))
    expect((await server.api('POST', '/tags', { name: 'before' })).status).toBe(201)
  })
  afterEach(async () => {
    await server.stop('SIGKILL')
    await remove()
  })

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
    const refused = await server.api('POST', '/tags', { name: 'after' })
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'storage_unavailable'])
    const keyed = await server.api('POST', '/tags', { name: 'keyed' }, { headers: { 'Idempotency-Key': 'gone' } })
    expect(keyed.status).toBe(503)
    expect(await server.tool('code_execute', 'post("/tags", name: "program")["id"]')).toMatchObject({
      error: { type: 'storage_unavailable' },
      committed: 'none',
    })
  }

  it('refuses writes and is not ready once its directory was deleted, and makes no new one', async () => {
    await rm(data, { recursive: true })
    await expectRefusal()
    expect(existsSync(data)).toBe(false)
    expect((await server.api('GET', '/tags')).body.data).toHaveLength(1)
  })

  it.each(['', '-wal', '-shm'])(
    'notices that shopwright.db%s alone was deleted, and does not make it again',
    async (suffix) => {
      await rm(database() + suffix)
      await expectRefusal()
      expect(existsSync(database() + suffix)).toBe(false)
    },
  )

  it('notices that another database was put in the place of its own', async () => {
    await copyFile(database(), join(directory, 'backup'))
    await rename(join(directory, 'backup'), database())
    await expectRefusal()
    await server.stop()
    expect(await readdir(data)).toContain('shopwright.db')
  })

  it('writes again once they are back', async () => {
    await rename(data, join(directory, 'elsewhere'))
    await expectRefusal()
    await rename(join(directory, 'elsewhere'), data)
    expect((await readiness()).status).toBe(200)
    expect((await server.api('POST', '/tags', { name: 'again' })).status).toBe(201)
    await server.stop()
    server = await startServer(environmentOf(data, { BOOTSTRAP_TOKEN: server.token ?? undefined }))
    expect((await readiness()).status).toBe(200)
  })
})
