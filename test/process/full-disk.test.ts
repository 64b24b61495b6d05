import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

/** A disk of a few megabytes in memory, which only some users may mount. Half of it is ballast: its log needs no more to be emptied. */
function mountDisk(directory: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', directory], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const place = await freshDirectory()
const mounted = mountDisk(place.directory)
const LONG = `<p>${'x'.repeat(60_000)}</p>`

afterAll(async () => {
  killAll()
  if (mounted) execFileSync('umount', ['-l', place.directory])
  await place.remove()
})

describe.skipIf(!mounted)('A server whose disk is full (left out where no disk can be mounted)', () => {
  let server: Server
  const ballast = join(place.directory, 'ballast')
  const kept: string[] = []
  beforeAll(async () => {
    execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M', 'count=6'], { stdio: 'ignore' })
    server = await startServer(environmentOf(join(place.directory, 'data'), { RATE_LIMIT_BURST: '100000' }))
  })

  const post = (name: string, key?: string) =>
    server.api('POST', '/products', { name, body_html: LONG }, key ? { headers: { 'Idempotency-Key': key } } : {})
  const readiness = async () => {
    const response = await fetch(`${server.url}/readyz`)
    return [response.status, await response.json()]
  }
  const program =
    'post("/tags", name: "t")["id"]\n10.times { |i| post("/products", name: "q#{i}", body_html: "<p>" + "y" * 90_000 + "</p>")["id"] }'

  it('refuses writes in words, keeps what it acknowledged, and works again when there is space', {
    retry: 0,
  }, async () => {
    for (let round = 0, full = false; !full; round++) {
      const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => post(`p ${round} ${index}`)))
      for (const { status, body } of answers) {
        if (status === 201) kept.push(body.id)
        else expect([status, body.error.code]).toEqual([503, 'storage_full'])
        full ||= status === 503
      }
    }
    // Five that share a commit may have been too many where one still fits.
    for (let last = await post('single'); last.status === 201; last = await post('single')) kept.push(last.body.id)
    expect((await post('keyed', 'k')).status).toBe(503)
    expect(await readiness()).toEqual([
      200,
      { status: 'ok', writes: 'failed', reason: expect.stringContaining('full') },
    ])
    // On a busy machine the program may reach its deadline before the disk is full.
    await expect
      .poll(() => server.tool('code_execute', program), { timeout: 60_000 })
      .toMatchObject({ error: { type: 'storage_full' }, committed: 'none' })
    expect((await server.api('GET', '/tags')).body.data).toEqual([])
    for (const id of kept) expect((await server.api('GET', `/products/${id}`)).status).toBe(200)
    rmSync(ballast)
    expect((await post('keyed', 'k')).status).toBe(201)
    expect(await readiness()).toEqual([200, { status: 'ok', writes: 'ok' }])
    // The log that was filled may still be on its way into the database, which a client waits for (Retry-After).
    const later = () => server.tool('code_execute', 'post("/tags", name: "later")["id"]')
    await expect.poll(later, { timeout: 20_000, interval: 500 }).toMatchObject({ committed: 'all' })
  })

  it('has lost nothing after a crash', async () => {
    await server.stop('SIGKILL')
    const { token } = server
    server = await startServer(environmentOf(join(place.directory, 'data')))
    for (const id of kept) expect((await server.api('GET', `/products/${id}`, undefined, { token })).status).toBe(200)
  })
})
