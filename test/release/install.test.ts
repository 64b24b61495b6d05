import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../release/pack.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { freshDirectory } from '../database/engines.ts'
import { DEEP } from '../support/depth.ts'
import { attach, type Environment, killAll, launch } from '../support/server.ts'

const PINNED = Number(process.versions.node.split('.')[0])
/** npm of this machine, as somebody has it who installs a release: without the Node.js and the settings of this repository. */
const { HOME } = process.env
const ENVIRONMENT: Environment = { HOME, PATH: '/usr/local/bin:/usr/bin:/bin', npm_config_fetch_retries: '0' }
const registry = DEEP && (await launch('npm', ['ping'], ENVIRONMENT, '', '/').ended).code === 0
const reason = DEEP ? (registry ? '' : ', SKIPPED: npm has no registry here') : ', in the deep suite'

describe.skipIf(!registry)(`a packed release${reason}`, () => {
  let directory: string
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
  })
  afterAll(async () => {
    killAll()
    await remove()
  })

  it('is installed by npm in an empty directory and serves there, on its own Node.js', async () => {
    const file = await pack(directory)
    const inside = (program: string, args: string[], more: Environment = {}) =>
      launch(program, args, { ...ENVIRONMENT, ...more }, '', directory)
    const npm = await inside('npm', ['install', '--no-audit', '--no-fund', `./${file.slice(directory.length + 1)}`])
      .ended
    expect(npm).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/added \d+ packages/) })
    const server = await attach(inside('npx', ['--no', '--', 'shopwright', 'start'], { PORT: '0', DEMO_DATA: 'none' }))
    const health = await (await fetch(`${server.url}/healthz`)).json()
    expect(health).toEqual({ status: 'ok', version: VERSION })
    expect(await server.tool('code_execute', 'post("/tags", name: "New")["name"]')).toMatchObject({ result: 'New' })
    expect(await (await fetch(`${server.url}/sign-in`)).text()).toContain('<title>Sign in')
    expect((await fetch(`${server.url}/dashboard/-/nothing`)).status).toBe(404)
    await server.stop()
    await writeFile(join(directory, 'sum.rb'), 'ARGV.map(&:to_i).sum')
    const program = await inside('npx', ['--no', '--', 'shopwright', 'exec', 'sum.rb', '--', '1', '2']).ended
    expect(program).toMatchObject({ code: 0, stdout: '3\n' })
    const version = await inside('node_modules/.bin/node', ['--version']).ended
    expect(version.stdout).toMatch(new RegExp(`^v${PINNED}\\.`))
  })
})
