import type { IncomingMessage, ServerResponse } from 'node:http'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireModestPack } from '../../../src/features/sites/providers/by-repository/clone.ts'
import { askAt } from '../../support/at-host.ts'
import { type Committed, GIT_BACKEND, type GitServer, startGitServer } from '../../support/git-server.ts'
import { type Body, onGateEngine, type Shop } from '../../support/shop.ts'

const PAGE = '<!doctype html><html lang="en"><title>Paper</title><main><h1>From git</h1></main></html>'
let made = 0
let host: GitServer

describe.skipIf(GIT_BACKEND === null)('A site from a repository', () => {
  beforeAll(async () => {
    host = await startGitServer()
  })
  afterAll(() => host.close())

  onGateEngine(
    (service) => {
      const account = async (): Promise<Shop> => service.as(await service.running.another(`git-${++made}`))
      const runOf = async (shop: Shop, { build_task_id }: Body): Promise<Body> =>
        (await shop.get(`/task_runs?ai_task_id=${build_task_id}`)).data[0]
      async function built(repository: string, shop?: Shop): Promise<{ site: Body; run: Body; shop: Shop }> {
        const owner = shop ?? (await account())
        const { id } = await owner.post('/sites', { repository, subdomain: `git-site-${++made}` })
        await service.settled()
        const site = await owner.get(`/sites/${id}`)
        return { site, run: await runOf(owner, site), shop: owner }
      }
      const ask = (site: Body, path = '/') => askAt(service.running, `${site.subdomain}.localhost`, path)
      async function ofFiles(files: Record<string, Committed>) {
        const name = `ada/site-${++made}`
        await host.commit(name, files)
        return built(name)
      }

      it('shows the files of the newest commit, and those of a newer one when it is built again', async () => {
        const name = `ada/paper-${++made}`
        const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255])
        await host.commit(name, {
          'index.html': PAGE,
          'assets/a.png': picture,
          '.env': 'SECRET=1',
          'README.md': '# Paper',
        })
        const { site, run, shop } = await built(name)
        expect([site.build_status, run.status, run.error_message]).toEqual(['live', 'completed', null])
        expect((await ask(site)).text).toContain('From git')
        expect((await ask(site, '/assets/a.png')).bytes).toEqual(picture)
        for (const hidden of ['/.env', '/.git/config', '/.git/HEAD']) expect((await ask(site, hidden)).status).toBe(404)
        await host.commit(name, { 'index.html': PAGE.replace('From git', 'Newer') })
        await shop.patch(`/tasks/${site.build_task_id}`, { active: true })
        await service.settled()
        expect((await ask(site)).text).toContain('Newer')
        expect((await ask(site, '/assets/a.png')).status).toBe(404)
      })

      it.each([
        [['dist/', ''], 'dist/'],
        [['', 'public/', 'docs/'], ''],
        [['public/', 'docs/', 'site/'], 'public/'],
        [['docs/', 'site/'], 'docs/'],
        [['site/', 'other/'], 'site/'],
      ])('is found in the first of its folders: %j', async (folders, chosen) => {
        const files = folders.map((folder) => [`${folder}index.html`, PAGE.replace('From git', `In ${folder}.`)])
        const { site } = await ofFiles({ ...Object.fromEntries(files), 'package.json': '{}' })
        expect((await ask(site)).text).toContain(`In ${chosen}.`)
      })

      it.each<[string, Record<string, Committed>, RegExp]>([
        [
          'no start page',
          { 'src/index.html': PAGE },
          /has no index\.html in its root, dist\/, public\/, docs\/ or site\//,
        ],
        [
          'a link',
          { 'index.html': PAGE, 'passwords.txt': { link: '/etc/passwd' } },
          /^passwords\.txt is a symbolic link/,
        ],
        [
          'a file in Git LFS',
          { 'index.html': PAGE, 'film.mp4': 'version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n' },
          /^film\.mp4 is kept in Git LFS/,
        ],
        [
          'a large file',
          { 'index.html': PAGE, 'large.bin': Buffer.alloc(6_000_000) },
          /^large\.bin has 6 MB; a file has at most 5 MB/,
        ],
        [
          'a large page',
          { 'index.html': PAGE + ' '.repeat(1_100_000) },
          /^index\.html has 1\.1 MB; a page has at most 1 MB/,
        ],
        [
          'a path that URLs cannot have',
          { 'index.html': PAGE, 'a?b.txt': 'x' },
          /^The path "a\?b\.txt" must consist of names/,
        ],
        [
          'many files',
          {
            'index.html': PAGE,
            ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f/${at}.txt`, `${at}`])),
          },
          /^There are 601 files; a site has at most 500/,
        ],
      ])('is refused with %s', async (_, files, problem) => {
        const { site, run } = await ofFiles(files)
        expect([site.build_status, site.is_live, run.status]).toEqual(['failed', false, 'failed'])
        expect(run.error_message).toMatch(problem)
        expect((await ask(site)).status).toBe(404)
      })

      it('is refused with a submodule, where that is of the site', async () => {
        const [inner, outer] = [`ada/inner-${++made}`, `ada/outer-${++made}`]
        await host.commit(inner, { 'a.txt': 'x' })
        await host.commit(outer, { 'dist/index.html': PAGE })
        host.git(outer, 'update-index', '--add', '--cacheinfo', '160000,1234567890123456789012345678901234567890,lib')
        host.git(outer, 'commit', '--quiet', '-m', 'Add a module')
        host.git(outer, 'push', '--quiet', 'origin', 'trunk')
        expect((await built(outer)).site.build_status).toBe('live')
        host.git(
          outer,
          'update-index',
          '--add',
          '--cacheinfo',
          '160000,1234567890123456789012345678901234567890,dist/lib',
        )
        host.git(outer, 'commit', '--quiet', '-m', 'Add it to the site')
        host.git(outer, 'push', '--quiet', 'origin', 'trunk')
        expect((await built(outer)).run.error_message).toBe('dist/lib is a submodule; commit its files themselves.')
      })

      it('says what of it does not work on a site', async () => {
        const page = PAGE.replace('<main>', '<script src="https://cdn.example/x.js"></script><main onclick="a()">')
        const { site, run } = await ofFiles({ 'index.html': page })
        expect(site.build_status).toBe('live')
        expect(run.summary).toContain(
          'index.html: the script from https://cdn.example is not loaded; copy it into the site.',
        )
        expect(run.summary).toContain('index.html: The attribute onclick does not run')
      })

      it('fails where there is no such repository', async () => {
        const { run } = await built('ada/nothing-here')
        expect(run.error_message).toBe('There is no repository ada/nothing-here, or it is not public.')
      })

      it('follows a repository that has moved, and never to an address that is not public', async () => {
        const name = `ada/moved-${++made}`
        await host.commit(name, { 'index.html': PAGE })
        const refs = (of: string) => `/${of}.git/info/refs`
        const leads = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
          response.writeHead(301, { location }).end()
        host.answers.set(refs('ada/former'), leads(`${host.url}${refs(name)}?service=git-upload-pack`))
        expect((await built('ada/former')).site.build_status).toBe('live')
        for (const address of ['http://169.254.169.254/latest', 'http://10.1.2.3/x', 'http://[fd00::1]/x']) {
          host.answers.set(refs('ada/away'), leads(address))
          expect((await built('ada/away')).run.error_message).toMatch(
            /^The address of the git host must be a public address/,
          )
        }
      })

      it('fails with what is no git host, or one that answers nothing of use', async () => {
        host.answers.set('/ada/html.git/info/refs', (_, response) => response.writeHead(200).end('<html>'))
        host.answers.set('/ada/broken.git/info/refs', (_, response) => response.writeHead(500).end())
        expect((await built('ada/html')).run.error_message).toMatch(/^The repository ada\/html could not be cloned/)
        expect((await built('ada/broken')).run.error_message).toBe('The git host answered with status 500.')
      })

      it('leaves what is live as it is when it cannot be built again', async () => {
        const name = `ada/kept-${++made}`
        await host.commit(name, { 'index.html': PAGE })
        const { site, shop } = await built(name)
        await host.commit(name, { 'other.html': PAGE })
        await shop.patch(`/tasks/${site.build_task_id}`, { active: true })
        await service.settled()
        expect(await shop.get(`/sites/${site.id}`)).toMatchObject({ build_status: 'failed', is_live: true })
        expect((await ask(site)).text).toContain('From git')
      })
    },
    {
      get SITE_REPOSITORIES_URL() {
        return host.url
      },
    },
  )
})

describe('A pack of a repository', () => {
  const number = (value: number) => {
    const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0')
    head.writeUInt32BE(value, 8)
    return head
  }
  /** An object as a pack holds it; its size may be a lie. */
  const object = (type: number, content: Buffer, size = content.length, base = Buffer.alloc(0)) => {
    const head = [(type << 4) | (size & 15)]
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      head[head.length - 1]! |= 0x80
      head.push(rest & 0x7f)
    }
    return Buffer.concat([Buffer.from(head), base, deflateSync(content)])
  }

  it('is read as it is', () => {
    expect(() =>
      requireModestPack(Buffer.concat([number(2), object(3, Buffer.from('a')), object(3, Buffer.alloc(5000, 'b'))])),
    ).not.toThrow()
  })

  it('is refused when it unpacks to more than there may be, says something else of itself, or is none', () => {
    const bomb = object(3, Buffer.alloc(40_000_000))
    expect(() => requireModestPack(Buffer.concat([number(4), bomb, bomb, bomb, bomb]))).toThrow(/too large/)
    expect(() => requireModestPack(Buffer.concat([number(1), object(3, Buffer.alloc(5000), 5)]))).toThrow(
      /cannot be read/,
    )
    expect(() => requireModestPack(Buffer.concat([number(90_000)]))).toThrow(/has 90000 objects/)
    for (const wrong of [
      Buffer.from(''),
      Buffer.from('PACK'),
      number(1),
      Buffer.concat([number(1), Buffer.from([0x35, 1, 2, 3])]),
    ])
      expect(() => requireModestPack(wrong)).toThrow(/cannot be read/)
  })

  it('is refused when its deltas are more than they look', () => {
    const first = object(3, Buffer.alloc(100))
    const claims = Buffer.concat([Buffer.from([100]), Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]), Buffer.alloc(4)])
    const delta = object(6, claims, claims.length, Buffer.from([first.length]))
    expect(() => requireModestPack(Buffer.concat([number(2), first, delta]))).toThrow(/too large/)
  })
})
