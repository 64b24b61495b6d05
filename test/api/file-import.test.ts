import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'
import { type Site, startSite } from '../support/site.ts'

const MEGABYTE = new Uint8Array(1_000_000)

describe('An import', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
    site.answers.set('/text/notes.txt', (_request, response) => response.end('a few words'))
    site.answers.set('/gone', (_request, response) => response.writeHead(410).end('gone'))
    site.answers.set('/packed', (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'))
    site.answers.set('/broken', (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('abc')
      setTimeout(() => response.destroy(), 20)
    })
    site.answers.set('/endless', (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(MEGABYTE));
      }
      response.on('drain', more)
      more()
    })
    site.answers.set('/hops', (request, response) => {
      const left = Number(new URL(request.url!, 'http://site').searchParams.get('left'))
      const location = left > 0 ? `/hops?left=${left - 1}` : '/text/notes.txt'
      response.writeHead(302, { location }).end('on you go')
    })
    const leads = { '/inside': 'http://169.254.169.254/latest', '/file': 'file:///etc/passwd', '/nowhere': undefined }
    for (const [path, location] of Object.entries(leads))
      site.answers.set(path, (_request, response) => response.writeHead(301, location ? { location } : {}).end())
  })
  afterAll(() => site.close())

  onGateEngine(
    (shop) => {
      const imported = async (path: string, values: object = {}): Promise<Body> => {
        const url = path.startsWith('/') ? `${site.url}${path}` : path
        const file = await shop.post('/files', { url, ...values })
        expect(file).toMatchObject({ upload_status: 'processing', source: 'url_import', source_type: 'external', url })
        expect(file.source_job_id).toMatch(/^job_/)
        await shop.settled()
        return shop.get(`/files/${file.id}`)
      }

      it('fetches the bytes, also where the address leads on', async () => {
        const events = await shop.eventsOf(() => imported('/text/notes.txt'))
        expect(events.map(({ type }) => type)).toEqual(['file.created', 'file.ready'])
        const { id, upload_status, filename, content_type, size } = await imported('/hops?left=4')
        expect({ upload_status, filename, content_type, size }).toEqual({
          ...{ upload_status: 'ready', filename: 'notes.txt', content_type: 'text/plain', size: 11 },
        })
        const { file_url } = await shop.get(`/files/${id}`)
        expect(await (await fetch(file_url)).text()).toBe('a few words')
        expect(
          (await imported('/text/notes.txt', { filename: 'own.md', content_type: 'text/markdown' })).filename,
        ).toBe('own.md')
        expect(await shop.refusal('POST', `/files/${id}/uploaded`)).toEqual([400, 'invalid_state'])
      })

      it('says why it failed, and keeps nothing then', async () => {
        const kept = () => readdir(join(shop.running.dataDirectory, 'files', shop.accountId))
        const before = await kept()
        const reasons: Record<string, RegExp> = {
          '/missing': /answered 404/,
          '/gone': /answered 410/,
          '/packed': /encoded with br/,
          '/broken': /closed before the response was complete/,
          '/endless': /larger than 100 MB/,
          '/hops?left=5': /more than 5 times/,
          '/inside': /must be a public address/,
          '/file': /must be a URL/,
          '/nowhere': /without saying where/,
          'http://name.invalid/': /has no address/,
        }
        for (const [path, reason] of Object.entries(reasons)) {
          const { upload_status, error_message, file_url } = await imported(path)
          expect([path, upload_status, error_message, file_url]).toEqual([
            path,
            'failed',
            expect.stringMatching(reason),
            null,
          ])
        }
        expect(await kept()).toEqual(before)
        expect(await readdir(join(shop.running.dataDirectory, 'files', 'incoming'))).toEqual([])
      })

      it('is refused at once where the address shows that it is private', async () => {
        for (const url of ['http://10.0.0.1/a', 'ftp://example.com/a', 'http://user@example.com/', 'nonsense'])
          expect(await shop.refusal('POST', '/files', { url })).toHaveProperty('url')
        expect(await shop.refusal('POST', '/files', { url: 'example.com/a.png' })).toEqual({
          url: ['must be a URL such as https://example.com/page'],
        })
      })
    },
    { OUTSIDE_ALLOW_LOOPBACK: 'true' },
  )
})
