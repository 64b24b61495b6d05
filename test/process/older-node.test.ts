import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { attach, environmentOf, killAll, launch } from '../support/server.ts'

const BIN = fileURLToPath(new URL('../../bin/shopwright.mjs', import.meta.url))
const OLD_NODE = await oldNode()

describe.skipIf(!OLD_NODE)('an older Node.js', () => {
  let base: string
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ directory: base, remove } = await freshDirectory())
  })
  afterEach(() => {
    killAll()
    return remove()
  })

  it('goes on with the one of the packages: signals, exit codes, input and directory are the same', async () => {
    const environment = environmentOf(join(base, 'data'))
    const old = (args: string[], input?: string) => launch(OLD_NODE!, [BIN, ...args], environment, input)
    const server = await attach(old(['start']))
    expect((await server.api('GET', '/account')).status).toBe(200)
    expect(await old(['exec', '-', '--', 'a b'], 'ARGV.first').ended).toMatchObject({ code: 0, stdout: '"a b"\n' })
    expect(await old(['exec'], 'post("/tags", {})["id"]').ended).toMatchObject({ code: 6, stdout: '' })
    expect(await server.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
    await writeFile(join(base, 'here.rb'), '1 + 1')
    const there = launch('sh', ['-c', `cd ${base} && exec ${OLD_NODE} ${BIN} exec here.rb`], environment)
    expect(await there.ended).toMatchObject({ code: 0, stdout: '2\n' })
  })

  it('stops the service also when it is killed itself', async () => {
    const server = await attach(launch(OLD_NODE!, [BIN, 'start'], environmentOf(base)))
    const pid = Number(readFileSync(join(base, 'shopwright.pid'), 'utf8'))
    expect(pid).not.toBe(server.child.pid)
    await server.stop('SIGKILL')
    await expect.poll(() => existsSync(join(base, 'shopwright.pid')), { timeout: 30_000 }).toBe(false)
  })

  it('is told what to do when the packages brought none', async () => {
    const environment = environmentOf(base, { SHOPWRIGHT_STARTED_BY: '1' })
    const { code, stdout, stderr } = await launch(OLD_NODE!, [BIN, 'start'], environment).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Shopwright needs Node\.js 24\.15 or newer to run, and this is \d+\.\d+\.\d+\. .*npm ci/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

/** The machine's own Node.js when it is too old to run the service. */
async function oldNode(): Promise<string | undefined> {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node']) {
    if (!existsSync(path)) continue
    const { stdout } = await launch(path, ['--version'], {}).ended
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) < 24) return path
  }
}
