import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Header } from 'tar'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { environmentOf, killAll, type Server, shopwright, startServer } from '../support/server.ts'
import { eventually } from '../support/webhooks.ts'

let base: string
let remove: () => Promise<void>
const at = (name: string) => join(base, name)

beforeEach(async () => {
  const fresh = await freshDirectory()
  base = fresh.directory
  remove = fresh.remove
  await mkdir(base, { recursive: true })
})
afterEach(() => {
  killAll()
  return remove()
})

const backUp = (file: string, more = {}) => shopwright(['backup', file], environmentOf(at('data'), more))
/** In this process, where the process itself does not count. */
const backUpHere = (file: string, more = {}) => command(['backup', file], environmentOf(at('data'), more))
const restoreInto = (directory: string, file: string, more = {}) =>
  command(['restore', file], environmentOf(at(directory), more))

async function withFile(server: Server): Promise<string> {
  const file = (await server.api('POST', '/files', { filename: 'plan.txt', size: 11 })).body
  await fetch(server.url + new URL(file.upload_url).pathname, { method: 'PUT', body: 'hello there' })
  const { body } = await server.api('POST', `/files/${file.id}/uploaded`)
  return new URL(body.file_url).pathname
}

async function names(server: Server, token: string): Promise<string[]> {
  const { body } = await server.api('GET', '/products?limit=100', undefined, { token })
  return body.data.map(({ name }: { name: string }) => name)
}

describe('a backup', () => {
  it('is of one moment while the server writes, and another directory goes on from it', async () => {
    const server = await startServer(environmentOf(at('data'), { RATE_LIMIT_BURST: '100000' }))
    const path = await withFile(server)
    const made: string[] = []
    let writing = true
    const write = async () => {
      while (writing && made.length < 90) {
        const name = `Product ${String(made.length).padStart(2, '0')}`
        if ((await server.api('POST', '/products', { name })).status === 201) made.push(name)
      }
    }
    const written = write()
    await eventually(async () => made.length > 3)
    const before = made.length
    expect(await backUp(at('shop.tar')).ended).toMatchObject({ code: 0, stderr: '' })
    const after = made.length
    writing = false
    await written
    await server.stop()
    expect(statSync(at('shop.tar')).mode & 0o777).toBe(0o600)
    expect(readdirSync(base).sort()).toEqual(['data', 'shop.tar'])

    const again = await shopwright(['restore', at('shop.tar')], environmentOf(at('again'))).ended
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(at('again')).sort()).toEqual(['files', 'secret.key', 'shopwright.db', 'shopwright.lock'])
    const restored = await startServer(environmentOf(at('again')))
    const kept = (await names(restored, server.token!)).sort()
    expect(kept).toEqual(made.slice(0, kept.length))
    expect(kept.length).toBeGreaterThanOrEqual(before)
    expect(kept.length).toBeLessThanOrEqual(after + 1)
    expect(await (await fetch(restored.url + path)).text()).toBe('hello there')
    await restored.stop()
  })

  it('leaves nothing under its name when it is killed in the middle', async () => {
    await prepareShop(environmentOf(at('data')))
    await mkdir(at('data/files/acct_1'), { recursive: true })
    // Whoever opens it waits for ever.
    spawnSync('mkfifo', [at('data/files/acct_1/file_1')])
    const backup = backUp(at('shop.tar'))
    const parts = () => readdirSync(base).filter((name) => name.endsWith('.part'))
    await eventually(async () => parts().some((name) => statSync(at(name)).size > 100_000))
    backup.child.kill('SIGKILL')
    await backup.ended
    expect(existsSync(at('shop.tar'))).toBe(false)
  })

  it('never takes the place of a file, and says when there is nothing to back up', async () => {
    const empty = await backUpHere(at('other.tar'))
    expect(empty).toMatchObject({ code: 3, stderr: expect.stringContaining('holds no data of Shopwright') })
    expect(readdirSync(base)).toEqual([])
    await prepareShop(environmentOf(at('data')))
    await writeFile(at('shop.tar'), 'mine')
    const taken = await backUpHere(at('shop.tar'))
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') })
    expect(readFileSync(at('shop.tar'), 'utf8')).toBe('mine')
    expect(readdirSync(base).sort()).toEqual(['data', 'shop.tar'])
  })

  it('of a service on PostgreSQL holds the key and the files, and says how the database is dumped', async () => {
    await prepareShop(environmentOf(at('data')))
    await mkdir(at('data/files/acct_1'), { recursive: true })
    await writeFile(at('data/files/acct_1/file_1'), 'hello')
    const DATABASE_URL = 'postgres://shop:hidden@db.example/shop'
    const { stdout, code } = await backUpHere(at('shop.tar'), { DATABASE_URL })
    expect(code).toBe(0)
    expect(stdout).toContain(`pg_dump --format=custom --file=${at('shop.tar')}.dump "$DATABASE_URL"`)
    expect(stdout).not.toContain('hidden')
    const refused = await restoreInto('again', at('shop.tar'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('set DATABASE_URL') })
    expect(await restoreInto('again', at('shop.tar'), { DATABASE_URL })).toMatchObject({ code: 0 })
    expect(readFileSync(at('again/files/acct_1/file_1'), 'utf8')).toBe('hello')
    expect(readFileSync(at('again/secret.key'))).toEqual(readFileSync(at('data/secret.key')))
  })
})

describe('a restore', () => {
  beforeEach(async () => {
    await prepareShop(environmentOf(at('data')))
    await backUpHere(at('shop.tar'))
  })

  it('refuses a directory that has data or a server', async () => {
    const taken = await restoreInto('data', at('shop.tar'))
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('shopwright.db is there already') })
    const server = await startServer(environmentOf(at('data')))
    const used = await restoreInto('data', at('shop.tar'))
    expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by another Shopwright process') })
    expect((await server.stop()).code).toBe(0)
  })

  it.each([
    ['was cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['is no archive', () => Buffer.from('nothing of the kind'.repeat(100))],
    ['was changed', (bytes: Buffer) => bytes.fill(7, 8_192, 20_000)],
  ])('refuses a backup that %s, and leaves nothing behind', async (_, damage) => {
    await writeFile(at('damaged.tar'), damage(readFileSync(at('shop.tar'))))
    const { code, stderr } = await restoreInto('again', at('damaged.tar'))
    expect(code).toBe(1)
    expect(stderr).toMatch(/has no end|cannot be unpacked|is damaged/)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(readdirSync(at('again'))).toEqual(['shopwright.lock'])
  })

  it('refuses an archive with other files', async () => {
    await appendFile(at('stranger'), 'mine')
    spawnSync('tar', ['-cf', at('strange.tar'), '-C', base, 'stranger'])
    const { code, stderr } = await restoreInto('again', at('strange.tar'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/it holds stranger\.\n$/)])
    expect(readdirSync(at('again'))).toEqual(['shopwright.lock'])
  })

  it('lets nobody else read what is restored, whatever an archive says', async () => {
    await mkdir(at('open'))
    spawnSync('tar', ['-xf', at('shop.tar'), '-C', at('open')])
    spawnSync('chmod', ['-R', '6777', at('open')])
    spawnSync('tar', ['-cf', at('open.tar'), '-C', at('open'), ...readdirSync(at('open'))])
    expect((await restoreInto('again', at('open.tar'))).code).toBe(0)
    for (const name of ['secret.key', 'shopwright.db'])
      expect([name, statSync(join(at('again'), name)).mode & 0o7777]).toEqual([name, 0o600])
  })

  interface Entry {
    path: string
    type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
    linkpath?: string
    body?: string
    /** The size in its header; that of `body` where it is absent. */
    size?: number
  }
  /** An archive of these entries, and of those of the backup around them. */
  const crafted = (before: Entry[], after: Entry[] = [], keep = (_: string) => true): Buffer => {
    const blockOf = ({ path, type = 'File', linkpath = '', body = '', size = body.length }: Entry) => {
      const header = Buffer.alloc(512)
      new Header({ path, type, linkpath, size, mode: 0o600, mtime: new Date(0) }).encode(header, 0)
      const bytes = Buffer.from(body)
      return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
    }
    const whole = readFileSync(at('shop.tar'))
    const kept: Buffer[] = []
    for (let start = 0; whole[start] !== 0; ) {
      const header = new Header(whole, start)
      const end = start + 512 + Math.ceil(header.size! / 512) * 512
      if (keep(header.path!)) kept.push(whole.subarray(start, end))
      start = end
    }
    return Buffer.concat([...before.map(blockOf), ...kept, ...after.map(blockOf), Buffer.alloc(1024)])
  }
  const manifest = 'manifest.json'

  it.each<[string, () => Buffer, RegExp]>([
    [
      'more than there is room for',
      () => crafted([{ path: 'files/acct_1/file_1', size: 2 ** 50 }]),
      /needs 1.* are free for .*: free more, or set DATA_DIR/,
    ],
    ['a path that leads out', () => crafted([{ path: '../shopwright.db' }]), /it holds \.\.\/shopwright\.db\.$/],
    ['a path that leads out below files', () => crafted([{ path: 'files/acct_1/../../x' }]), /it holds files\/acct_1/],
    ['an absolute path', () => crafted([{ path: '/tmp/shopwright.db' }]), /it holds \/tmp\/shopwright\.db\.$/],
    [
      'a link',
      () => crafted([{ path: 'files/acct_1/file_1', type: 'SymbolicLink', linkpath: '/etc/passwd' }]),
      /files\/acct_1\/file_1 is not a file/,
    ],
    [
      'a hard link',
      () => crafted([{ path: 'files/acct_1/file_1', type: 'Link', linkpath: 'secret.key' }]),
      /files\/acct_1\/file_1 is not a file/,
    ],
    [
      'a device',
      () => crafted([{ path: 'files/acct_1/file_1', type: 'CharacterDevice' }]),
      /files\/acct_1\/file_1 is not a file/,
    ],
    ['a pipe', () => crafted([{ path: 'secret.key', type: 'FIFO' }]), /secret\.key is not a file/],
    [
      'a folder in place of a file',
      () => crafted([{ path: 'files/acct_1/file_1', type: 'Directory' }]),
      /files\/acct_1\/file_1 is not a file/,
    ],
    [
      'a folder in place of the database',
      () => crafted([{ path: 'shopwright.db', type: 'Directory' }]),
      /shopwright\.db is not a file/,
    ],
    ['a file in place of a folder', () => crafted([{ path: 'files/acct_1', body: 'x' }]), /it holds files\/acct_1\.$/],
    ['a file in place of all files', () => crafted([{ path: 'files', body: 'x' }]), /it holds files\.$/],
    ['two entries of one name', () => crafted([{ path: 'secret.key', body: 'k' }]), /holds secret\.key twice/],
    ['two databases', () => crafted([], [{ path: 'shopwright.db', body: 'x' }]), /holds shopwright\.db twice/],
    ['two manifests', () => crafted([], [{ path: manifest, body: '{}' }]), /holds manifest\.json twice/],
    ['a file after its end', () => crafted([], [{ path: 'files/acct_1/file_9', body: 'x' }]), /it was changed/],
    [
      'a manifest of another kind',
      () => crafted([], [{ path: manifest, body: '[]' }], (name) => name !== manifest),
      /manifest\.json is not one of this version/,
    ],
    [
      'a manifest that is no JSON',
      () => crafted([], [{ path: manifest, body: '{' }], (name) => name !== manifest),
      /manifest\.json is not one of this version/,
    ],
    [
      'a huge manifest',
      () => crafted([], [{ path: manifest, body: ' '.repeat(2_000_000) }], (name) => name !== manifest),
      /its manifest\.json is too large\.$/,
    ],
    [
      'more bytes than it has',
      () => crafted([], [{ path: 'files/acct_1/file_1', size: 9e6 }]),
      /has no end|cannot be unpacked/,
    ],
    [
      'a name twice, once as that of a directory',
      () => crafted([], [{ path: 'secret.key/', body: 'x' }]),
      /cannot be unpacked|is not a file/,
    ],
    ['no database', () => crafted([], [], (name) => name !== 'shopwright.db'), /has no shopwright\.db/],
    ['no secret key although it says so', () => crafted([], [], (name) => name !== 'secret.key'), /has no secret\.key/],
    ['a file too many', () => crafted([{ path: 'files/acct_1/file_1', body: 'x' }]), /it was changed/],
  ])('refuses a backup with %s in a sentence, and leaves nothing behind', async (_, make, said) => {
    await writeFile(at('crafted.tar'), make())
    const { code, stderr } = await restoreInto('again', at('crafted.tar'))
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(said)])
    expect(stderr).not.toMatch(/^\s+at |ENOTEMPTY|EEXIST|EISDIR|ENOTDIR|ENOENT|ZodError/m)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(at('again'))).toEqual(['shopwright.lock'])
    expect(readdirSync(base).sort()).toEqual(['again', 'crafted.tar', 'data', 'shop.tar'])
  })
})
