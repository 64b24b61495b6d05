import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { openSocket } from '../support/raw.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

const FILES = '/dashboard/my-shop/files'
/** The smallest picture: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MEGABYTE = 1_000_000

describe('A form with files', () => {
  onGateEngine((shop) => {
    let person: Person
    let csrf: string

    beforeAll(async () => {
      person = await signIn(shop.running)
      csrf = fieldsOf((await person.get(FILES)).html, FILES).csrf!
    })

    function formOf(files: [name: string, bytes: BlobPart, type?: string][], token = csrf): FormData {
      const form = new FormData()
      form.set('csrf', token)
      for (const [name, bytes, type = ''] of files) form.append('files', new File([bytes], name, { type }))
      return form
    }
    const listed = async () => (await shop.get('/files')).data.map((file: { filename: string }) => file.filename)
    const stored = (of: Shop = shop) =>
      readdir(join(shop.running.dataDirectory, 'files', of.accountId)).catch(() => [] as string[])

    it('makes ready files of them, as uploads over the API do, and announces them', async () => {
      const events = await shop.eventsOf(async () => {
        const answer = await person.upload(
          FILES,
          formOf([
            ['cover.png', PNG, 'text/html'],
            ['Zoë.csv', 'a,b\n', 'text/csv'],
          ]),
        )
        expect([answer.status, answer.location]).toEqual([303, `${FILES}?done=created`])
      })
      expect(events.map(({ type }) => type).sort()).toEqual([
        'file.created',
        'file.created',
        'file.ready',
        'file.ready',
      ])
      const [csv, picture] = (await shop.get('/files?limit=2')).data
      expect(csv).toMatchObject({ filename: 'Zoë.csv', content_type: 'text/csv', size: 4, upload_status: 'ready' })
      expect(picture).toMatchObject({ filename: 'cover.png', content_type: 'image/png', size: PNG.length })
      expect(Buffer.from(await (await fetch(picture.file_url)).arrayBuffer()).equals(PNG)).toBe(true)
    })

    it('is not read from people who may not upload', async () => {
      const who = { name: 'V', email: 'viewer@example.com', role: 'viewer' } as const
      const viewer = await signIn(
        shop.running,
        (await addMember(shop.running.app.database, shop.accountId, who)).userId,
      )
      const much = await viewer.upload(FILES, formOf([['much.bin', Buffer.alloc(21 * MEGABYTE)]], 'any'))
      expect([much.status, much.html]).toEqual([403, expect.stringContaining('yours is viewer')])
    })

    it('takes 20 MB together, and says at the form that more is too much', async () => {
      const before = [await listed(), await stored()]
      const much = await person.upload(FILES, formOf([['much.bin', Buffer.alloc(21 * MEGABYTE)]]))
      expect(much.status).toBe(413)
      expect(much.html).toContain('The files are larger than 20 MB in total. Nothing was uploaded.')
      expect(much.html).toContain('aria-describedby="upload-files-hint upload-files-problem"')
      const unannounced = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(MEGABYTE)) })
      const body = { method: 'POST', body: unannounced, duplex: 'half' } as RequestInit
      const headers = { 'Content-Type': 'multipart/form-data; boundary=line', Cookie: cookieOf(person) }
      const endless = await fetch(shop.running.url + FILES, { ...body, headers }).catch(() => null)
      expect([413, undefined]).toContain(endless?.status)
      expect([await listed(), await stored()]).toEqual(before)
      const most = await person.upload(FILES, formOf([['most.bin', Buffer.alloc(20 * MEGABYTE, 1)]]))
      expect(most.status).toBe(303)
      expect((await shop.get('/files?limit=1')).data[0]).toMatchObject({ filename: 'most.bin', size: 20 * MEGABYTE })
    })

    it('says what the operation refuses, and keeps what it takes', async () => {
      const long = `${'x'.repeat(256)}.txt`
      const answer = await person.upload(
        FILES,
        formOf([
          ['kept.txt', 'words'],
          [long, 'words'],
        ]),
      )
      expect(answer.status).toBe(422)
      expect(answer.html).toContain(`${'x'.repeat(59)}…: Filename is too long (maximum is 255 characters)`)
      expect((await listed())[0]).toBe('kept.txt')
      const none = await person.upload(FILES, formOf([['', '']]))
      expect([none.status, none.html.includes('Choose a file first.')]).toEqual([422, true])
    })

    it('is refused with too many parts, long headers, long fields and what is no such form', async () => {
      const before = await listed()
      const many = await person.upload(FILES, formOf(Array.from({ length: 11 }, (_, n) => [`${n}.txt`, 'x'])))
      expect([many.status, many.html.includes('at most 10 files')]).toEqual([413, true])
      const parts = new FormData()
      for (let part = 0; part < 200; part++) parts.append('csrf', csrf)
      expect((await person.upload(FILES, parts)).status).toBe(413)
      expect((await person.upload(FILES, formOf([['x'.repeat(5000), 'x']]))).status).toBe(413)
      expect((await person.upload(FILES, formOf([['a.txt', 'x']], csrf + 'x'.repeat(2000)))).status).toBe(413)
      expect((await person.post(FILES, { csrf })).status).toBe(415)
      const type = { 'Content-Type': 'multipart/form-data; boundary=line' }
      for (const body of ['', 'words', '--line\r\n\r\n'])
        expect([body, (await postRaw(body, type)).status]).toEqual([body, 400])
      expect((await postRaw('--line--', type)).status).toBe(403)
      expect(await listed()).toEqual(before)
    })

    function postRaw(body: string, headers: Record<string, string>) {
      return fetch(shop.running.url + FILES, {
        method: 'POST',
        body,
        headers: { ...headers, Cookie: cookieOf(person) },
      })
    }

    it('comes from its own page and its own person alone', async () => {
      const before = await listed()
      const other = await shop.running.another('no-uploads')
      const stranger = await signIn(shop.running, other.userId)
      const theirs = fieldsOf((await stranger.get('/dashboard/no-uploads/files')).html, '/dashboard/no-uploads/files')
      const form = () => formOf([['a.txt', 'x']])
      const tries: [string, number, Promise<{ status: number }>][] = [
        ['without a token', 403, person.upload(FILES, formOf([['a.txt', 'x']], ''))],
        ['with the token of somebody else', 403, person.upload(FILES, formOf([['a.txt', 'x']], theirs.csrf!))],
        ['from another site', 403, person.upload(FILES, form(), { 'Sec-Fetch-Site': 'cross-site' })],
        ['from another account', 404, stranger.upload(FILES, form())],
        ['by nobody', 303, fetch(shop.running.url + FILES, { method: 'POST', body: form(), redirect: 'manual' })],
      ]
      for (const [way, status, answer] of tries) expect([way, (await answer).status]).toEqual([way, status])
      expect(await listed()).toEqual(before)
    })

    it('is taken while few others arrive, one of an account', async () => {
      const { url } = shop.running
      const half = async (someone: Person, path: string) => {
        const socket = await openSocket(url)
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookieOf(someone)}\r\nContent-Type: multipart/form-data; boundary=line\r\nContent-Length: 5000000\r\n\r\n--line`,
        )
        return socket
      }
      const others = await Promise.all(
        ['slow-one', 'slow-two'].map(async (name) => signIn(shop.running, (await shop.running.another(name)).userId)),
      )
      const refusal = 'Too many uploads are in progress.'
      const tokenOf = async (someone: Person, path: string) => fieldsOf((await someone.get(path)).html, path).csrf!
      const tryIt = async (someone: Person, path: string) => {
        const token = await tokenOf(someone, path)
        return someone.upload(path, formOf([['a.txt', 'x']], token))
      }
      const until = async (wanted: number, someone: Person, path: string) => {
        for (;;) {
          const answer = await tryIt(someone, path)
          if (answer.status === wanted) return answer
        }
      }
      const own = await half(person, FILES)
      const busy = await until(503, person, FILES)
      expect(busy.html).toContain(refusal)
      expect(busy.headers.get('retry-after')).toBe('60')
      expect((await tryIt(others[0]!, '/dashboard/slow-one/files')).status).toBe(303)
      const second = await half(others[0]!, '/dashboard/slow-one/files')
      await until(503, others[1]!, '/dashboard/slow-two/files')
      own.destroy()
      second.destroy()
      await until(303, person, FILES)
      await until(303, others[1]!, '/dashboard/slow-two/files')
    })
  })
})

function cookieOf(person: Person): string {
  return person.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}
