import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSocket } from '../support/raw.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

/** The smallest picture: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const put = (file: Body, bytes: Uint8Array | string) =>
  fetch(file.upload_url, { method: 'PUT', headers: file.upload_headers, body: bytes as BodyInit })

/** A file that was uploaded and confirmed. */
async function uploaded(shop: Shop, bytes: Uint8Array | string, values: object = {}): Promise<Body> {
  const file = await shop.post('/files', { filename: 'cover.png', ...values })
  expect((await put(file, bytes)).status).toBe(200)
  return shop.post(`/files/${file.id}/uploaded`)
}

/** What the local store holds of an account. */
const stored = (shop: Shop) =>
  readdir(join(shop.running.dataDirectory, 'files', shop.accountId)).catch(() => [] as string[])

describe('An upload', () => {
  onGateEngine((shop) => {
    it('becomes ready once its bytes are there and confirmed', async () => {
      const file = await shop.post('/files', {
        filename: 'cover.png',
        title: 'Cover',
        tags: ['front'],
        size: PNG.length,
      })
      expect(file).toMatchObject({
        ...{ kind: 'file', source: 'upload', source_type: 'upload', upload_status: 'pending', filename: 'cover.png' },
        ...{ content_type: null, size: null, checksum: null, file_url: null, title: 'Cover', tags: ['front'] },
        upload_headers: {},
      })
      expect(await shop.get(`/files/${file.id}`)).toEqual({ ...file, upload_url: null, upload_headers: null })
      expect(await shop.refusal('POST', `/files/${file.id}/uploaded`)).toEqual([400, 'invalid_state'])
      expect((await put(file, PNG)).status).toBe(200)
      const events = await shop.eventsOf(async () => {
        const ready = await shop.post(`/files/${file.id}/uploaded`)
        expect(ready).toMatchObject({
          ...{ upload_status: 'ready', content_type: 'image/png', size: PNG.length, checksum: sha256(PNG) },
          file_url: expect.stringMatching(/\/files\/file_\w+\/[\w-]{43}\/cover\.png$/),
        })
        expect(await shop.post(`/files/${file.id}/uploaded`)).toEqual(ready)
      })
      expect(events.map(({ type }) => type)).toEqual(['file.ready'])
    })

    it('takes its bytes once, and none that are not meant for it', async () => {
      const file = await shop.post('/files', { filename: 'cover.png' })
      const wrong = file.upload_url.replace(/.$/, (last: string) => (last === 'a' ? 'b' : 'a'))
      expect((await put({ ...file, upload_url: wrong }, PNG)).status).toBe(404)
      const reading = (await uploaded(shop, PNG)).file_url.split('/').at(-2)
      const withReading = file.upload_url.replace(/[^/]+$/, reading)
      expect((await put({ ...file, upload_url: withReading }, PNG)).status).toBe(404)
      const both = await Promise.all([put(file, PNG), put(file, 'other')])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
      expect((await put(file, 'third')).status).toBe(400)
      const { size } = await shop.post(`/files/${file.id}/uploaded`)
      expect(size).toBe(both[0]!.status === 200 ? PNG.length : 5)
      expect((await put(file, 'after')).status).toBe(400)
      expect((await fetch(file.upload_url)).status).toBe(405)
    })

    it('takes no more than it may have, announced or not, and keeps nothing of it', async () => {
      const before = await stored(shop)
      const file = await shop.post('/files', { filename: 'a.bin', size: 1000 })
      expect((await put(file, 'x'.repeat(1001))).status).toBe(413)
      const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })
      const asked = { method: 'PUT', body: endless, duplex: 'half' } as RequestInit
      const answer = await fetch(file.upload_url, asked).catch(() => null)
      expect([413, undefined]).toContain(answer?.status)
      const large = await shop.post('/files', { filename: 'a.bin' })
      const socket = await openSocket(shop.running.url)
      const { pathname } = new URL(large.upload_url)
      socket.write(`PUT ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 500000001\r\n\r\n`)
      const [head] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve))).toString().split('\r\n')
      socket.destroy()
      expect(head).toMatch(/ 413 /)
      expect(await stored(shop)).toEqual(before)
      expect(await shop.refusal('POST', '/files', { filename: 'a', size: 500_000_001 })).toHaveProperty('size')
      expect((await put(file, 'x'.repeat(1000))).status).toBe(200)
    })

    it('that breaks off keeps nothing, and can be sent again', async () => {
      const file = await shop.post('/files', { filename: 'a.bin' })
      const socket = await openSocket(shop.running.url)
      socket.write(`PUT ${new URL(file.upload_url).pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n`)
      socket.write('x'.repeat(50_000))
      await delay(100)
      socket.destroy()
      expect((await put(file, PNG)).status).toBe(200)
      expect((await shop.post(`/files/${file.id}/uploaded`)).size).toBe(PNG.length)
      while ((await readdir(join(shop.running.dataDirectory, 'files', 'incoming'))).length > 0) await delay(10)
    })

    it('has the type that its bytes show, whatever was declared', async () => {
      const cases: [bytes: Uint8Array | string, declared: string | undefined, shown: string, served: string][] = [
        [PNG, 'text/html', 'image/png', 'image/png'],
        ['<script>alert(1)</script>', 'image/png', 'text/plain', 'application/octet-stream'],
        ['a,b\n1,2\n', 'text/csv', 'text/csv', 'application/octet-stream'],
        ['<html></html>', 'text/html', 'text/html', 'application/octet-stream'],
        [Buffer.from([0, 1, 2, 254]), 'text/plain', 'application/octet-stream', 'application/octet-stream'],
        ['%PDF-1.7\n', undefined, 'application/pdf', 'application/pdf'],
      ]
      for (const [bytes, content_type, shown, served] of cases) {
        const file = await uploaded(shop, bytes, { ...(content_type && { content_type }) })
        const { headers } = await fetch(file.file_url)
        expect([content_type, file.content_type, headers.get('content-type')]).toEqual([content_type, shown, served])
      }
    })

    it('ends after its hour', async () => {
      const other = shop.as(await shop.running.another('late-uploads', { test: true }))
      const [sent, confirmed, never] = await Promise.all([1, 2, 3].map(() => other.post('/files', { filename: 'a' })))
      await put(sent, PNG)
      await put(confirmed, PNG)
      await other.post(`/files/${confirmed.id}/uploaded`)
      const goOn = (minutes: number) =>
        shop.running.app.advanceClock(other.accountId, new Date(Date.now() + minutes * 60_000).toISOString())
      await goOn(61)
      expect((await put(never, PNG)).status).toBe(400)
      await goOn(125)
      await shop.settled()
      const statuses = async (files: Body[]) =>
        Promise.all(files.map(async ({ id }) => (await other.get(`/files/${id}`)).upload_status))
      expect(await statuses([sent, confirmed, never])).toEqual(['failed', 'ready', 'failed'])
      expect(await stored(other)).toEqual([confirmed.id])
      expect(await other.refusal('POST', `/files/${sent.id}/uploaded`)).toEqual([400, 'invalid_state'])
    })
  })
})

describe('A file', () => {
  onGateEngine((shop) => {
    it('is what its fields say', async () => {
      expect(await shop.refusal('POST', '/files', {})).toEqual([400, 'parameter_missing', 'filename'])
      expect(await shop.refusal('POST', '/files', { title: 'x' })).toEqual([400, 'parameter_missing', 'filename'])
      expect(await shop.refusal('POST', '/files', { kind: 'external_video' })).toEqual([
        400,
        'parameter_missing',
        'url',
      ])
      expect(await shop.refusal('POST', '/files', { filename: 'a/b' })).toHaveProperty('filename')
      expect(await shop.refusal('POST', '/files', { filename: 'a', content_type: 'png' })).toHaveProperty(
        'content_type',
      )
    })

    it('may be a video on YouTube, Vimeo or Wistia, and nowhere else', async () => {
      const videos: Record<string, string> = {
        'https://www.youtube.com/watch?v=dQw4w9WgXcQ': 'youtube',
        'https://youtu.be/dQw4w9WgXcQ?t=3': 'youtube',
        'https://vimeo.com/76979871': 'vimeo',
        'https://player.vimeo.com/video/76979871': 'vimeo',
        'https://acme.wistia.com/medias/abc123': 'wistia',
      }
      for (const [url, provider] of Object.entries(videos)) {
        const events = await shop.eventsOf(async () => {
          const file = await shop.post('/files', { kind: 'external_video', url, title: 'Talk' })
          expect(file).toMatchObject({ upload_status: 'ready', source: 'external_video', source_type: 'external', url })
          expect([url, file.provider, file.file_url]).toEqual([url, provider, null])
          expect(await shop.refusal('POST', `/files/${file.id}/uploaded`)).toEqual([400, 'invalid_state'])
        })
        expect(events.map(({ type }) => type)).toEqual(['file.created', 'file.ready'])
      }
      const others = [
        'https://youtube.com.example/watch?v=dQw4w9WgXcQ',
        'https://example.com/youtu.be/dQw4w9WgXcQ',
        'https://www.youtube.com/',
        'ftp://youtu.be/dQw4w9WgXcQ',
        'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
      ]
      for (const url of others)
        expect(await shop.refusal('POST', '/files', { kind: 'external_video', url })).toHaveProperty('url')
    })

    it('is found by kind, origin and status', async () => {
      const other = shop.as(await shop.running.another('file-lists'))
      const ready = await uploaded(other, PNG)
      const pending = await other.post('/files', { filename: 'a' })
      const video = await other.post('/files', { kind: 'external_video', url: 'https://youtu.be/dQw4w9WgXcQ' })
      expect(await other.listed('/files')).toEqual([video.id, pending.id, ready.id])
      expect(await other.listed('/files?kind=external_video')).toEqual([video.id])
      expect(await other.listed('/files?source_type=external')).toEqual([video.id])
      expect(await other.listed('/files?source_type=upload')).toEqual([pending.id, ready.id])
      expect(await other.listed('/files?upload_status[]=pending&upload_status[]=failed')).toEqual([pending.id])
      expect(await other.listed(`/files?size[gte]=${PNG.length}`)).toEqual([ready.id])
    })

    it('is deleted with its bytes, unless something uses it', async () => {
      const file = await uploaded(shop, PNG)
      const { id: product } = await shop.product({ media: [file.id] })
      expect(await shop.refusal('DELETE', `/files/${file.id}`)).toEqual([400, 'resource_in_use'])
      await shop.patch(`/products/${product}`, { media: [] })
      const content = JSON.stringify({ files: [file.id] })
      const experience = await shop.experience({ item_type: 'download', content })
      expect(await shop.refusal('DELETE', `/files/${file.id}`)).toEqual([400, 'resource_in_use'])
      await shop.set('experiences', experience, { content: '{"files":[]}' })
      expect(await shop.delete(`/files/${file.id}`)).toEqual({ id: file.id, object: 'file', deleted: true })
      await shop.settled()
      expect(await stored(shop)).not.toContain(file.id)
      expect((await fetch(file.file_url)).status).toBe(404)
    })

    it('is served at its address whatever its name is', async () => {
      const names = ['.', '..', '...', 'a.', 'b. .', '\u202egnp.exe', '%2e%2e', '?#', ' ', '\ud83d', '~'.repeat(250)]
      for (const filename of names) {
        const made = await shop.api('POST', '/files', { filename })
        if (made.status === 422) continue
        await put(made.body, 'bytes')
        const { file_url } = await shop.post(`/files/${made.body.id}/uploaded`)
        const answer = await fetch(file_url)
        expect([filename, answer.status, await answer.text()]).toEqual([filename, 200, 'bytes'])
      }
    })

    it('is served in safe headers, whole and in parts', async () => {
      const { file_url, checksum } = await uploaded(shop, 'abcdefghij', {
        filename: 'Ä "x".html',
        content_type: 'text/html',
      })
      const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(file_url, { method, headers })
      const whole = await get()
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="_ _x_.html"; filename*=UTF-8''%C3%84%20%22x%22.html`,
        'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
        'x-content-type-options': 'nosniff',
        'content-length': '10',
        etag: `"${checksum}"`,
      })
      expect(await whole.text()).toBe('abcdefghij')
      expect((await get({}, 'HEAD')).headers.get('content-length')).toBe('10')
      const parts: [range: string, status: number, text: string, header: string | null][] = [
        ['bytes=0-0', 206, 'a', 'bytes 0-0/10'],
        ['bytes=3-5', 206, 'def', 'bytes 3-5/10'],
        ['bytes=8-', 206, 'ij', 'bytes 8-9/10'],
        ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
        ['bytes=-99', 206, 'abcdefghij', 'bytes 0-9/10'],
        ['bytes=5-99', 206, 'fghij', 'bytes 5-9/10'],
        ['bytes=10-', 416, '', 'bytes */10'],
        ['bytes=-0', 416, '', 'bytes */10'],
        ['bytes=5-3', 200, 'abcdefghij', null],
        ['bytes=0-1,3-4', 200, 'abcdefghij', null],
        ['lines=1-2', 200, 'abcdefghij', null],
      ]
      for (const [range, status, text, header] of parts) {
        const answer = await get({ range })
        expect([range, answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
          range,
          status,
          text,
          header,
        ])
      }
      expect((await get({ range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200)
      expect((await get({ range: 'bytes=0-0', 'if-range': `"${checksum}"` })).status).toBe(206)
      expect((await get({ 'if-none-match': `"${checksum}"` })).status).toBe(304)
      const picture = await fetch((await uploaded(shop, PNG)).file_url)
      expect(picture.headers.get('content-disposition')).toMatch(/^inline; /)
      expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
      expect((await fetch(file_url.replace(/\/[\w-]{43}\//, `/${'a'.repeat(43)}/`))).status).toBe(404)
    })
  })
})
